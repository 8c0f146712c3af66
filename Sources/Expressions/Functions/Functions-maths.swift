extension FunctionTable {
    static let maths: [Function] =
        [
            Function(
                "math.greatest(list) -> dyn", "math.greatest(number, number...) -> dyn",
                summary: "The greatest number.",
                example: "math.greatest(1, 3.5, 2u) == 3.5 && math.greatest([1, 2]) == 2",
                body: .variadic { values throws(EvaluationError) in try extreme(values, .greater) }),
            Function(
                "math.least(list) -> dyn", "math.least(number, number...) -> dyn", summary: "The least number.",
                example: "math.least(1, 3.5, 2u) == 1",
                body: .variadic { values throws(EvaluationError) in try extreme(values, .less) }),
            rounding("ceil", "up", "2.0") { $0.rounded(.up) },
            rounding("floor", "down", "1.0") { $0.rounded(.down) },
            rounding("round", "to the nearest, halves away from zero", "2.0") { $0.rounded() },
            rounding("trunc", "towards zero", "1.0") { $0.rounded(.towardZero) },
            Function(
                "math.sqrt(number) -> double", summary: "Square root; not a number for a negative one.",
                example: "math.sqrt(9) == 3.0",
                body: .unary { value throws(EvaluationError) in
                    switch value.resolved {
                    case .int(let number): .double(Double(number).squareRoot())
                    case .uint(let number): .double(Double(number).squareRoot())
                    case .double(let number): .double(number.squareRoot())
                    default: throw .overload(value)
                    }
                }),
            Function(
                "math.abs(number) -> same", summary: "The number without its sign.", example: "math.abs(-2) == 2",
                body: .unary { value throws(EvaluationError) in try absolute(value) }),
            Function(
                "math.sign(number) -> same", summary: "-1, 0 or 1, in the type of the number.",
                example: "math.sign(-2.5) == -1.0",
                body: .unary { value throws(EvaluationError) in try sign(value) }),
            test("isNaN", "is not a number", "math.isNaN(0.0 / 0.0)") { $0.isNaN },
            test("isInf", "is infinite", "math.isInf(1.0 / 0.0)") { $0.isInfinite },
            test("isFinite", "is neither infinite nor not a number", "math.isFinite(1.0)") { $0.isFinite },
        ] + bits

    private static let bits: [Function] = [
        bitwise("bitAnd", "math.bitAnd(6, 3) == 2") { $0 & $1 },
        bitwise("bitOr", "math.bitOr(6u, 3u) == 7u") { $0 | $1 },
        bitwise("bitXor", "math.bitXor(6, 3) == 5") { $0 ^ $1 },
        Function(
            "math.bitNot(int|uint) -> same", summary: "Every bit flipped.", example: "math.bitNot(0) == -1",
            body: .unary { value throws(EvaluationError) in
                switch value.resolved {
                case .int(let number): .int(~number)
                case .uint(let number): .uint(~number)
                default: throw .overload(value)
                }
            }),
        shift("bitShiftLeft", "math.bitShiftLeft(1, 4) == 16") { $0 << $1 },
        shift("bitShiftRight", "math.bitShiftRight(-1, 63) == 1") { $0 >> $1 },
    ]

    private static func extreme(_ values: [Value], _ wanted: Value.Order) throws(EvaluationError) -> Value {
        let numbers = values.count == 1 ? values[0].elements ?? values : values
        guard var best = numbers.first?.resolved else { throw .argument("empty list") }
        for number in numbers {
            switch number.resolved {
            case .int, .uint, .double:
                if Value.order(number, best) == wanted { best = number.resolved }
            default: throw .overload(number)
            }
        }
        guard Value.order(best, .int(0)) != nil, best.typeName != .bool else { throw .overload(best) }
        return best
    }

    private static func rounding(
        _ name: String, _ direction: String, _ result: String, _ body: @escaping @Sendable (Double) -> Double
    ) -> Function {
        Function(
            "math.\(name)(double) -> double", summary: "Rounded \(direction).",
            example: "math.\(name)(1.5) == \(result)",
            body: .unary { value throws(EvaluationError) in
                guard case .double(let number) = value.resolved else { throw .overload(value) }
                return .double(body(number))
            })
    }

    private static func test(
        _ name: String, _ meaning: String, _ example: String, _ body: @escaping @Sendable (Double) -> Bool
    ) -> Function {
        Function(
            "math.\(name)(double) -> bool", summary: "Whether the number \(meaning).", example: example,
            body: .unary { value throws(EvaluationError) in
                guard case .double(let number) = value.resolved else { throw .overload(value) }
                return .bool(body(number))
            })
    }

    private static func absolute(_ value: Value) throws(EvaluationError) -> Value {
        switch value.resolved {
        case .int(let number):
            guard number != .min else { throw EvaluationError(.overflow) }
            return .int(abs(number))
        case .uint: return value.resolved
        case .double(let number): return .double(number.magnitude)
        default: throw .overload(value)
        }
    }

    private static func sign(_ value: Value) throws(EvaluationError) -> Value {
        switch value.resolved {
        case .int(let number): .int(number.signum())
        case .uint(let number): .uint(number == 0 ? 0 : 1)
        case .double(let number): .double(number.isNaN || number == 0 ? number : (number < 0 ? -1 : 1))
        default: throw .overload(value)
        }
    }

    private static func bitwise(
        _ name: String, _ example: String, _ body: @escaping @Sendable (UInt64, UInt64) -> UInt64
    ) -> Function {
        Function(
            "math.\(name)(int, int) -> int", "math.\(name)(uint, uint) -> uint", summary: "Bit by bit.",
            example: example,
            body: .binary { a, b throws(EvaluationError) in
                switch (a.resolved, b.resolved) {
                case (.int(let x), .int(let y)):
                    .int(Int64(bitPattern: body(UInt64(bitPattern: x), UInt64(bitPattern: y))))
                case (.uint(let x), .uint(let y)): .uint(body(x, y))
                default: throw .overload(a, b)
                }
            })
    }

    /// Zeros come in from both sides: the sign is a bit like others. 64 places and more leave nothing.
    private static func shift(
        _ name: String, _ example: String, _ body: @escaping @Sendable (UInt64, Int64) -> UInt64
    ) -> Function {
        Function(
            "math.\(name)(int, int) -> int", "math.\(name)(uint, int) -> uint",
            summary: "Bits moved by so many places; zeros move in.", example: example,
            body: .binary { a, b throws(EvaluationError) in
                guard let places = b.int else { throw .overload(a, b) }
                guard places >= 0 else { throw .argument("negative shift") }
                switch a.resolved {
                case .int(let number): return .int(Int64(bitPattern: body(UInt64(bitPattern: number), places)))
                case .uint(let number): return .uint(body(number, places))
                default: throw .overload(a, b)
                }
            })
    }
}
