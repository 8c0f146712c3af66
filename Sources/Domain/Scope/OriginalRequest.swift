import Bytes
package import Expressions

/// `request.original`: the client's request, before the gateway edited anything.
package final class OriginalRequest: HostObject {
    package static let type = ObjectType(
        name: "request.original",
        members: [
            ("method", .string), ("path", .string), ("segments", .list(.string)), ("query", .pairs),
            ("target", .string), ("headers", .pairs), ("form", .pairs), ("json", .dyn),
        ])

    private let method: [UInt8]
    private let path: [UInt8]
    private let query: [UInt8]?
    /// Its fields and its body; `nil`: nothing asked for them to be kept.
    private let message: RequestDraft?

    init(method: [UInt8], path: [UInt8], query: [UInt8]?, message: RequestDraft?) {
        self.method = method
        self.path = path
        self.query = query
        self.message = message
    }

    package var objectType: ObjectType { Self.type }

    package func member(_ index: Int) throws(EvaluationError) -> Value {
        switch index {
        case 0: return .text(method)
        case 1: return .text(path)
        case 2: return .list(TargetText.segments(of: path))
        case 3: return .pairs(TargetText.pairs(of: query), folding: false)
        case 4: return .text(TargetText.joined(path, query))
        case 5: return .pairs(try kept().fields, folding: true)
        case 6: return .pairs(try kept().form(), folding: false)
        case 7: return try kept().json()
        default: throw EvaluationError.unavailable("request.original has no such member")
        }
    }

    private func kept() throws(EvaluationError) -> RequestDraft {
        guard let message else { throw .unavailable("the client's own fields are not kept here") }
        return message
    }
}
