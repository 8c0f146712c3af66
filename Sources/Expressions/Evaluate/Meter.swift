import Bytes
import JSONBytes

/// What is left of the steps of one evaluation. Whatever takes time with the size of its input is charged here before it is
/// done: everything runs on one thread, and a value may be as large as a client likes.
package struct Meter {
    var steps: Int

    init(steps: Int = ExpressionLimits().steps) { self.steps = steps }

    mutating func charge(_ amount: Int) throws(EvaluationError) {
        steps &-= amount
        if steps < 0 { throw EvaluationError(.budgetExceeded) }
    }

    /// Work over a value.
    mutating func charge(_ value: Value, _ cost: Cost) throws(EvaluationError) {
        switch value {
        case .string(let text): try charge(cost.steps(bytes: text.count))
        case .bytes(let bytes): try charge(cost.steps(bytes: bytes.count))
        case .list(let elements):
            try charge(cost.steps(elements: elements.count))
            guard cost.reach != .elements else { return }
            for element in elements { try charge(element, cost) }
        case .map(let map):
            try charge(cost.steps(elements: map.count))
            guard cost.reach != .elements else { return }
            for entry in map.entries {
                try charge(entry.key, cost)
                try charge(entry.value, cost)
            }
        case .json(let json): try charge(json, cost)
        case .pairs(let block, _): try charge(block, cost)
        case .pair(let record):
            try charge(cost.steps(elements: 1, bytes: record.entry.names.count + record.entry.values.count))
        case .optional(.some(let inner)): try charge(inner, cost)
        case .null, .bool, .int, .uint, .double, .timestamp, .duration, .type, .optional(nil), .object: break
        }
    }

    /// The same work so many times.
    mutating func charge(_ value: Value, _ cost: Cost, times: Int) throws(EvaluationError) {
        let before = steps
        try charge(value, cost)
        let (amount, overflow) = (before - steps).multipliedReportingOverflow(by: times)
        try charge(overflow ? .max : amount)
    }

    /// What a function has made: what is inside stood in its arguments, or was charged when it was put together.
    mutating func charge(result: Value, _ cost: Cost) throws(EvaluationError) {
        switch result {
        case .string(let text): try charge(cost.steps(bytes: text.count))
        case .bytes(let bytes): try charge(cost.steps(bytes: bytes.count))
        case .list(let elements): try charge(cost.steps(elements: elements.count))
        case .map(let map): try charge(cost.steps(elements: map.count))
        case .pairs(let block, _): try charge(block, cost)
        default: break
        }
    }

    mutating func charge(_ block: PairBlock, _ cost: Cost) throws(EvaluationError) {
        try charge(cost.steps(elements: block.count, bytes: cost.reach == .elements ? 0 : block.bytes.count))
    }

    private mutating func charge(_ json: JSONValue, _ cost: Cost) throws(EvaluationError) {
        guard json.kind == .array || json.kind == .object else {
            let count = json.raw.count
            // Escapes are decoded each time.
            return try charge(cost.steps(bytes: count) + (json.hasEscapes ? count >> 3 : 0))
        }
        // Counting more than 65,534 takes a walk.
        guard cost.reach != .elements else { return try charge(cost.steps(elements: json.mostCount)) }
        try charge(cost.steps(elements: json.nodeCount, bytes: json.raw.count))
    }
}
