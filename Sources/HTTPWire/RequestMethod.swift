/// The methods a request may have; case-sensitive (RFC 9110 9.1). Everything else is refused by the parser: 405 for
/// TRACE (it echoes credentials) and CONNECT (this is no forward proxy), 501 for the rest.
package enum RequestMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case patch = "PATCH"
    case options = "OPTIONS"

    private static let texts = allCases.map { Array($0.rawValue.utf8) }

    /// The token as bytes, made once.
    package var bytes: [UInt8] { Self.texts[ordinal] }

    private var ordinal: Int {
        switch self {
        case .get: 0
        case .head: 1
        case .post: 2
        case .put: 3
        case .delete: 4
        case .patch: 5
        case .options: 6
        }
    }

    /// Value of the `Allow` field for a 405.
    package static let allow = "GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS"

    /// Sending it twice has the effect of sending it once (RFC 9110 9.2.2).
    package var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete, .options: true
        case .post, .patch: false
        }
    }

    /// Recognises a method token.
    static func parse(_ token: Span<UInt8>) throws(WireRefusal) -> RequestMethod {
        func equals(_ name: String) -> Bool {
            var index = 0
            for byte in name.utf8 {
                guard token[index] == byte else { return false }
                index &+= 1
            }
            return true
        }
        switch token.count {
        case 3:
            if equals("GET") { return .get }
            if equals("PUT") { return .put }
        case 4:
            if equals("POST") { return .post }
            if equals("HEAD") { return .head }
        case 5:
            if equals("PATCH") { return .patch }
            if equals("TRACE") { throw WireRefusal(.refusedMethod) }
        case 6:
            if equals("DELETE") { return .delete }
        case 7:
            if equals("OPTIONS") { return .options }
            if equals("CONNECT") { throw WireRefusal(.refusedMethod) }
        default: break
        }
        throw WireRefusal(.unknownMethod)
    }
}
