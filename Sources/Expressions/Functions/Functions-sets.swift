/// Lists as sets: order and repetition do not matter.
extension FunctionTable {
    static let sets: [Function] = [
        Function(
            "sets.contains(list, list) -> bool", summary: "Whether every element of the second is in the first.",
            example: "sets.contains([1, 2, 3], [3, 1.0]) && !sets.contains([1], [2])",
            body: .binary { first, second throws(EvaluationError) in
                .bool(try contains(try first.requireList(), all: try second.requireList()))
            }),
        Function(
            "sets.equivalent(list, list) -> bool", summary: "Whether each holds every element of the other.",
            example: "sets.equivalent([1, 2, 2], [2, 1]) && !sets.equivalent([1], [1, 2])",
            body: .binary { first, second throws(EvaluationError) in
                let (first, second) = (try first.requireList(), try second.requireList())
                guard try contains(first, all: second) else { return .bool(false) }
                return .bool(try contains(second, all: first))
            }),
        Function(
            "sets.intersects(list, list) -> bool", summary: "Whether an element of the second is in the first.",
            example: "sets.intersects([1, 2], [2, 3]) && !sets.intersects([1], [])",
            body: .binary { first, second throws(EvaluationError) in
                let first = try first.requireList()
                for element in try second.requireList() where try contains(first, all: [element]) { return .bool(true) }
                return .bool(false)
            }),
    ]

    private static func contains(_ list: [Value], all elements: [Value]) throws(EvaluationError) -> Bool {
        // One by one, as values of any type may stand in a list: bounded, as nobody counts the steps in here.
        guard list.count * elements.count <= 1 << 20 else { throw EvaluationError(.tooLarge) }
        for element in elements where !list.contains(where: { Value.equal($0, element) }) { return false }
        return true
    }
}
