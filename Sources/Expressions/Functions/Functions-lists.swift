extension FunctionTable {
    static let lists: [Function] = [
        Function(
            "(list).sort() -> same", summary: "The elements in ascending order; all must be comparable.",
            example: "[3, 1, 2].sort() == [1, 2, 3]",
            body: .unary { list throws(EvaluationError) in
                let elements = try list.requireList()
                return .list(try Sorting.order(of: elements.map(\.resolved), at: -1).map { elements[$0] })
            }),
        Function(
            "(list).distinct() -> same", summary: "Without the elements that equal an earlier one.",
            example: "[1, 2, 1.0].distinct() == [1, 2]",
            body: .metered { values, meter throws(EvaluationError) in
                .list(try distinct(try values[0].requireList(), &meter))
            }),
        Function(
            "(list|bytes).slice(int, int) -> same",
            summary: "The elements, or the bytes, from one index up to (not with) another.",
            example: "[1, 2, 3, 4].slice(1, 3) == [2, 3] && b'abcd'.slice(0, 2) == b'ab'",
            body: .variadic { values throws(EvaluationError) in
                let (start, end) = (try values[1].requireInt(), try values[2].requireInt())
                if case .bytes(let bytes) = values[0] {
                    guard start >= 0, start <= end, end <= bytes.count else { throw EvaluationError(.indexOutOfRange) }
                    return .bytes(bytes.dropFirst(start).prefix(end - start))
                }
                let list = try values[0].requireList()
                guard start >= 0, start <= end, end <= list.count else { throw EvaluationError(.indexOutOfRange) }
                return .list(Array(list[start..<end]))
            }),
        Function(
            "(list).flatten() -> list", "(list).flatten(int) -> list",
            summary: "With the elements of inner lists in their place, one level deep or as many as told.",
            example: "[1, [2, [3]]].flatten() == [1, 2, [3]]",
            body: .variadic { values throws(EvaluationError) in
                let depth = values.count > 1 ? try values[1].requireInt() : 1
                guard depth >= 0 else { throw .argument("depth") }
                var output: [Value] = []
                try flatten(try values[0].requireList(), depth, into: &output)
                return .list(output)
            }),
        Function(
            "(list).first() -> optional", summary: "The first element, if there is one.",
            example: "[1, 2].first().value() == 1",
            body: .unary { list throws(EvaluationError) in .optional(try list.requireList().first) }),
        Function(
            "(list).last() -> optional", summary: "The last element, if there is one.",
            example: "[1, 2].last().value() == 2",
            body: .unary { list throws(EvaluationError) in .optional(try list.requireList().last) }),
        Function(
            "lists.range(int) -> list", summary: "The numbers from 0 up to (not with) n.",
            example: "lists.range(3) == [0, 1, 2]",
            body: .unary { count throws(EvaluationError) in
                let count = try count.requireInt()
                guard count >= 0, count <= 65_536 else { throw EvaluationError(.tooLarge) }
                return .list((0..<count).map { .int(Int64($0)) })
            }),
    ]

    private static func distinct(_ elements: [Value], _ meter: inout Meter) throws(EvaluationError) -> [Value] {
        var (keys, others, result): (Set<MapValue.Key>, [Value], [Value]) = ([], [], [])
        for element in elements {
            if let key = MapValue.Key(element) {
                if keys.insert(key).inserted { result.append(element) }
                continue
            }
            // Anything else is compared one by one, so the number is bounded.
            guard others.count < 128 else { throw EvaluationError(.tooLarge) }
            try meter.charge(element, .comparison, times: others.count)
            if !others.contains(where: { Value.equal($0, element) }) {
                others.append(element)
                result.append(element)
            }
        }
        return result
    }

    private static func flatten(
        _ elements: [Value], _ depth: Int, into output: inout [Value]
    ) throws(EvaluationError) {
        for element in elements {
            if depth > 0, let inner = element.elements {
                try flatten(inner, depth - 1, into: &output)
            } else {
                output.append(element)
            }
            guard output.count <= Function.elementLimit else { throw EvaluationError(.tooLarge) }
        }
    }

    static let optionals: [Function] = [
        Function(
            "optional.of(dyn) -> optional", summary: "An optional that holds a value.",
            example: "optional.of(1).hasValue()",
            body: .unary { value throws(EvaluationError) in .optional(value) }),
        Function(
            "optional.ofNonZeroValue(dyn) -> optional",
            summary: "An optional that holds the value unless it is null, false, zero or empty.",
            example: "!optional.ofNonZeroValue('').hasValue()",
            body: .unary { value throws(EvaluationError) in .optional(isZero(value) ? nil : value) }),
        Function(
            "optional.none() -> optional", summary: "An empty optional.", example: "!optional.none().hasValue()",
            body: .nullary { () throws(EvaluationError) in .optional(nil) }),
        Function(
            "(optional).hasValue() -> bool", summary: "Whether the optional holds a value.",
            example: "optional.of(1).hasValue()",
            body: .unary { value throws(EvaluationError) in
                guard case .optional(let inner) = value else { throw .overload(value) }
                return .bool(inner != nil)
            }),
        Function(
            "(optional).value() -> wrapped", summary: "What the optional holds; an error when it is empty.",
            example: "optional.of(1).value() == 1",
            body: .unary { value throws(EvaluationError) in
                guard case .optional(let inner) = value else { throw .overload(value) }
                guard let inner else { throw EvaluationError(.noValue) }
                return inner
            }),
        Function(
            "(optional).orValue(dyn) -> dyn", summary: "What the optional holds, or the other value.",
            example: "optional.none().orValue(2) == 2",
            body: .binary { value, other throws(EvaluationError) in
                guard case .optional(let inner) = value else { throw .overload(value) }
                return inner ?? other
            }),
        Function(
            "(optional).or(optional) -> optional", summary: "The first optional that holds a value.",
            example: "optional.none().or(optional.of(2)).value() == 2",
            body: .binary { value, other throws(EvaluationError) in
                guard case .optional(let inner) = value, case .optional = other else { throw .overload(value, other) }
                return inner == nil ? other : value
            }),
        Function(
            "optional.unwrap(list) -> list", summary: "The values of those optionals in a list that hold one.",
            example: "optional.unwrap([optional.of(1), optional.none()]) == [1]",
            body: .unary { list throws(EvaluationError) in
                var output: [Value] = []
                for element in try list.requireList() {
                    guard case .optional(let inner) = element else { throw .overload(element) }
                    if let inner { output.append(inner) }
                }
                return .list(output)
            }),
    ]

    static func isZero(_ value: Value) -> Bool {
        switch value.resolved {
        case .null, .optional(nil): true
        case .bool(let flag): !flag
        case .int(let number): number == 0
        case .uint(let number): number == 0
        case .double(let number): number == 0
        case .duration(let nanoseconds): nanoseconds == 0
        default: value.size == 0
        }
    }
}
