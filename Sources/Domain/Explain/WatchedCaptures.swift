import Expressions

/// Captures of a login that is only explained; tells which of them a request was made of.
final class WatchedCaptures: HostObject {
    private static let type = ObjectType(name: "members", members: [], dynamic: .dyn)
    private let values: [Value]
    /// Slots.
    private(set) var read: Set<Int> = []

    init(_ values: [Value]) { self.values = values }

    var objectType: ObjectType { Self.type }

    func member(_ index: Int) throws(EvaluationError) -> Value {
        guard values.indices.contains(index) else { throw .unavailable("the login has not captured it yet") }
        read.insert(index)
        return values[index]
    }
}
