import Bytes

/// The method of a request; case-sensitive (RFC 9110 9.1). What the config does not ask for is refused by the parser: 405
/// for TRACE (it echoes credentials) and CONNECT (this is no forward proxy), 501 for other extensions.
package enum RequestMethod: Sendable, Equatable {
    case get, head, post, put, delete, patch, options
    /// An extension that a route lists.
    case other([UInt8])

    /// The methods that every route takes.
    package static let common: [RequestMethod] = [.get, .head, .post, .put, .delete, .patch, .options]

    /// Extensions of the IANA registry (RFC 9110 16.1.1), true where one is registered as idempotent: what is not in here is
    /// taken for neither safe nor idempotent.
    private static let registered: [(name: String, isIdempotent: Bool)] = [
        ("ACL", true), ("BASELINE-CONTROL", true), ("BIND", true), ("CHECKIN", true), ("CHECKOUT", true),
        ("COPY", true), ("LABEL", true), ("LINK", true), ("LOCK", false), ("MERGE", true), ("MKACTIVITY", true),
        ("MKCALENDAR", true), ("MKCOL", true), ("MKREDIRECTREF", true), ("MKWORKSPACE", true), ("MOVE", true),
        ("ORDERPATCH", true), ("PROPFIND", true), ("PROPPATCH", true), ("QUERY", true), ("REBIND", true),
        ("REPORT", true), ("SEARCH", true), ("UNBIND", true), ("UNCHECKOUT", true), ("UNLINK", true), ("UNLOCK", true),
        ("UPDATE", true), ("UPDATEREDIRECTREF", true), ("VERSION-CONTROL", true),
    ]
    private static let idempotent = registered.filter(\.isIdempotent).map { Array($0.name.utf8) }
    private static let texts = common.map { Array($0.name.utf8) }

    /// Longest token that is looked at; no registered method comes near.
    package static let longest = 31

    /// Of caches, of Vault, of UPnP.
    private static let more = ["PURGE", "BAN", "LIST", "M-SEARCH", "NOTIFY", "SUBSCRIBE", "UNSUBSCRIBE"]
    /// The names of all methods that mean something to more than one server.
    package static let known = common.map(\.name) + registered.map(\.name) + more

    /// `nil`: no token, too long, or one that is never forwarded. PRI belongs to HTTP/2 (RFC 9113 3.4).
    package init?(_ name: String) {
        if let common = Self.common.first(where: { $0.name == name }) {
            self = common
            return
        }
        let bytes = Array(name.utf8)
        guard !bytes.isEmpty, bytes.count <= Self.longest, bytes.allSatisfy(ByteClass.isToken),
            !["TRACE", "CONNECT", "PRI"].contains(name)
        else { return nil }
        self = .other(bytes)
    }

    /// No extension.
    package var isCommon: Bool {
        if case .other = self { false } else { true }
    }

    /// As it is written.
    package var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .patch: "PATCH"
        case .options: "OPTIONS"
        case .other(let token): String(decoding: token, as: UTF8.self)
        }
    }

    /// The token as bytes, made once.
    package var bytes: [UInt8] {
        switch self {
        case .get: Self.texts[0]
        case .head: Self.texts[1]
        case .post: Self.texts[2]
        case .put: Self.texts[3]
        case .delete: Self.texts[4]
        case .patch: Self.texts[5]
        case .options: Self.texts[6]
        case .other(let token): token
        }
    }

    /// Value of the `Allow` field for a 405.
    package static let allow = common.map(\.name).joined(separator: ", ")

    /// Sending it twice has the effect of sending it once (RFC 9110 9.2.2).
    package var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete, .options: true
        case .post, .patch: false
        case .other(let token): Self.idempotent.contains(token)
        }
    }

    /// Recognises a method token.
    /// - Parameter extensions: those that are forwarded as well.
    static func parse(_ token: Span<UInt8>, extensions: [[UInt8]]) throws(WireRefusal) -> RequestMethod {
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
        for name in extensions where ASCII.equal(name.span, token) { return .other(name) }
        throw WireRefusal(.unknownMethod)
    }
}
