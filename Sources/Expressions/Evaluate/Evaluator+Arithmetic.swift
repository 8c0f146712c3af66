import Bytes

extension Evaluator {
    mutating func negate(_ operand: Node, _ at: Int) throws(EvaluationError) -> Value {
        let value = try value(of: operand).resolved
        switch value {
        case .int(let number):
            let (result, overflow) = Int64(0).subtractingReportingOverflow(number)
            if overflow { throw EvaluationError(.overflow, at: at) }
            return .int(result)
        case .double(let number): return .double(-number)
        default: throw mismatch(at, value)
        }
    }

    mutating func arithmetic(
        _ kind: Syntax.Operator, _ left: Node, _ right: Node, _ at: Int
    ) throws(EvaluationError) -> Value {
        let (a, b) = (try value(of: left).resolved, try value(of: right).resolved)
        switch (a, b) {
        case (.int(let a), .int(let b)): return .int(try Evaluator.integer(kind, a, b, at))
        case (.uint(let a), .uint(let b)): return .uint(try Evaluator.integer(kind, a, b, at))
        case (.double(let x), .double(let y)):
            switch kind {
            case .add: return .double(x + y)
            case .subtract: return .double(x - y)
            case .multiply: return .double(x * y)
            case .divide: return .double(x / y)
            default: throw mismatch(at, a, b)
            }
        default: break
        }
        switch kind {
        case .add: return try sum(a, b, at)
        case .subtract: return try difference(a, b, at)
        default: throw mismatch(at, a, b)
        }
    }

    private static func integer<Number: FixedWidthInteger>(
        _ kind: Syntax.Operator, _ a: Number, _ b: Number, _ at: Int
    ) throws(EvaluationError) -> Number {
        let result: (partialValue: Number, overflow: Bool)
        switch kind {
        case .add: result = a.addingReportingOverflow(b)
        case .subtract: result = a.subtractingReportingOverflow(b)
        case .multiply: result = a.multipliedReportingOverflow(by: b)
        default:
            if b == 0 { throw EvaluationError(.divisionByZero, at: at) }
            result = kind == .divide ? a.dividedReportingOverflow(by: b) : a.remainderReportingOverflow(dividingBy: b)
            // The smallest integer modulo -1 is 0; the processor reports an overflow for it.
            if kind == .remainder { return result.overflow ? 0 : result.partialValue }
        }
        if result.overflow { throw EvaluationError(.overflow, at: at) }
        return result.partialValue
    }

    private mutating func sum(_ a: Value, _ b: Value, _ at: Int) throws(EvaluationError) -> Value {
        switch (a, b) {
        case (.string(let x), .string(let y)): return .string(try joined(x, y, at))
        case (.bytes(let x), .bytes(let y)): return .bytes(try joined(x, y, at))
        case (.timestamp(let time), .duration(let delta)), (.duration(let delta), .timestamp(let time)):
            guard let result = time.adding(nanoseconds: delta) else { throw EvaluationError(.overflow, at: at) }
            return .timestamp(result)
        case (.duration(let x), .duration(let y)):
            return .duration(nanoseconds: try Evaluator.integer(.add, x, y, at))
        default:
            guard let x = a.elements, let y = b.elements else { throw mismatch(at, a, b) }
            try charge(x.count + y.count)
            return .list(x + y)
        }
    }

    private mutating func difference(_ a: Value, _ b: Value, _ at: Int) throws(EvaluationError) -> Value {
        switch (a, b) {
        case (.timestamp(let time), .duration(let delta)):
            let (opposite, overflow) = Int64(0).subtractingReportingOverflow(delta)
            guard !overflow, let result = time.adding(nanoseconds: opposite) else {
                throw EvaluationError(.overflow, at: at)
            }
            return .timestamp(result)
        case (.timestamp(let x), .timestamp(let y)):
            guard let result = x.nanoseconds(since: y) else { throw EvaluationError(.overflow, at: at) }
            return .duration(nanoseconds: result)
        case (.duration(let x), .duration(let y)):
            return .duration(nanoseconds: try Evaluator.integer(.subtract, x, y, at))
        default: throw mismatch(at, a, b)
        }
    }

    private mutating func joined(
        _ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>, _ at: Int
    ) throws(EvaluationError) -> ArraySlice<UInt8> {
        let count = a.count + b.count
        try charge(count >> 6)
        guard count <= Function.outputLimit else { throw EvaluationError(.tooLarge, at: at) }
        var result: [UInt8] = []
        result.reserveCapacity(count)
        result.append(copying: a.span)
        result.append(copying: b.span)
        return result[...]
    }
}
