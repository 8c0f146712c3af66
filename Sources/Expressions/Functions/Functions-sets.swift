/// Lists as sets: order and repetition do not matter.
extension FunctionTable {
    static let sets: [Function] = [
        Function(
            "sets.contains(list, list) -> bool", summary: "Whether every element of the second is in the first.",
            example: "sets.contains([1, 2, 3], [3, 1.0]) && !sets.contains([1], [2])",
            body: .metered { values, meter throws(EvaluationError) in
                .bool(try contains(try values[0].requireList(), all: try values[1].requireList(), &meter))
            }),
        Function(
            "sets.equivalent(list, list) -> bool", summary: "Whether each holds every element of the other.",
            example: "sets.equivalent([1, 2, 2], [2, 1]) && !sets.equivalent([1], [1, 2])",
            body: .metered { values, meter throws(EvaluationError) in
                let (first, second) = (try values[0].requireList(), try values[1].requireList())
                guard try contains(first, all: second, &meter) else { return .bool(false) }
                return .bool(try contains(second, all: first, &meter))
            }),
        Function(
            "sets.intersects(list, list) -> bool", summary: "Whether an element of the second is in the first.",
            example: "sets.intersects([1, 2], [2, 3]) && !sets.intersects([1], [])",
            body: .metered { values, meter throws(EvaluationError) in
                let first = try values[0].requireList()
                for element in try values[1].requireList() {
                    if try contains(first, all: [element], &meter) { return .bool(true) }
                }
                return .bool(false)
            }),
    ]

    private static func contains(
        _ list: [Value], all elements: [Value], _ meter: inout Meter
    ) throws(EvaluationError) -> Bool {
        // One by one, as values of any type may stand in a list.
        for element in elements {
            try meter.charge(.list(list), .comparison)
            try meter.charge(element, .comparison, times: list.count)
            if !list.contains(where: { Value.equal($0, element) }) { return false }
        }
        return true
    }
}
