import Bytes
package import Expressions

/// `request.original`: where the client's request went, before the gateway edited anything.
package final class OriginalRequest: HostObject {
    package static let type = ObjectType(
        name: "request.original",
        members: [
            ("method", .string), ("path", .string), ("segments", .list(.string)), ("query", .pairs),
            ("target", .string),
        ])

    private let method: [UInt8]
    private let path: [UInt8]
    private let query: [UInt8]?

    init(method: [UInt8], path: [UInt8], query: [UInt8]?) {
        self.method = method
        self.path = path
        self.query = query
    }

    package var objectType: ObjectType { Self.type }

    package func member(_ index: Int) throws(EvaluationError) -> Value {
        switch index {
        case 0: return .text(method)
        case 1: return .text(path)
        case 2: return .list(TargetText.segments(of: path))
        case 3: return .pairs(TargetText.pairs(of: query), folding: false)
        case 4: return .text(TargetText.joined(path, query))
        default: throw EvaluationError.unavailable("request.original has no such member")
        }
    }
}
