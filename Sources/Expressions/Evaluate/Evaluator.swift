import Bytes
import JSONBytes

/// Walks the nodes of one expression, once.
struct Evaluator {
    let context: any EvaluationContext
    var slots: Slots
    var meter: Meter

    init(_ context: any EvaluationContext, slots count: Int, steps: Int) {
        self.context = context
        slots = Slots(count: count)
        meter = Meter(steps: steps)
    }

    mutating func charge(_ amount: Int) throws(EvaluationError) { try meter.charge(amount) }

    mutating func value(of node: Node) throws(EvaluationError) -> Value {
        try charge(1)
        switch node {
        case .constant(let constant): return constant.value
        case .slot(let slot): return slots[slot]
        case .root(let index, let at): return try root(index, at)
        case .member(let operand, let index, let at): return try member(operand, index, at)
        case .field(let operand, let name, let at): return try field(operand, name, at)
        case .pairPart(let slot, let isValue, let at): return try pairPart(slot, isValue, at)
        case .optionalField(let operand, let name, let at): return try optionalField(operand, name, at)
        case .index(let operand, let key, let at): return try index(operand, key, at)
        case .optionalIndex(let operand, let key, let at): return try optionalIndex(operand, key, at)
        case .not, .all, .any, .equal, .compare, .contains, .containedIn, .hasField, .matches:
            return .bool(try decision(node))
        case .negate(let operand, let at): return try negate(operand, at)
        case .conditional(let condition, let first, let second, let at):
            return try value(of: try truth(of: condition, at) ? first : second)
        case .arithmetic(let kind, let left, let right, let at): return try arithmetic(kind, left, right, at)
        case .call(let body, let cost, let arguments, let at): return try call(body, cost, arguments, at)
        case .list, .map: return try aggregate(node)
        case .comprehension(let comprehension): return try comprehend(comprehension)
        case .bind(let slot, let value, let body): return try bind(slot, value, body)
        case .mapOptional(let slot, let operand, let body, let flat, let at):
            return try mapOptional(slot, operand, body, flat, at)
        case .concatenation, .joined, .transformed: return try built(node)
        case .followed(let followed): return try self.followed(followed)
        }
    }

    /// The nodes that give a bool; false for the others.
    private mutating func decision(_ node: Node) throws(EvaluationError) -> Bool {
        switch node {
        case .not(let operand, let at): try !truth(of: operand, at)
        case .all(let operands, let at): try logic(operands, stoppedBy: false, at)
        case .any(let operands, let at): try logic(operands, stoppedBy: true, at)
        case .equal(let left, let right, let isNegated): try equal(left, right) != isNegated
        case .compare(let kind, let left, let right, let at): try compare(kind, left, right, at)
        case .contains(let left, let right, let at): try contains(left, right, at)
        case .containedIn(let operand, let constants): try contained(operand, constants)
        case .hasField(let operand, let name, let at): try hasField(operand, name, at)
        case .matches(let operand, let pattern, let at): try matches(operand, pattern, at)
        default: false
        }
    }

    mutating func truth(of node: Node, _ at: Int) throws(EvaluationError) -> Bool {
        switch node {
        case .not, .all, .any, .equal, .compare, .contains, .containedIn, .hasField, .matches:
            // No value in between.
            try charge(1)
            return try decision(node)
        default: break
        }
        let result = try value(of: node)
        if case .bool(let flag) = result { return flag }
        guard let flag = result.bool else { throw mismatch(at, result) }
        return flag
    }

    func mismatch(_ at: Int, _ values: Value...) -> EvaluationError {
        EvaluationError(.noSuchOverload, values.map(\.typeName.name).joined(separator: ", "), at: at)
    }

    private func root(_ index: Int, _ at: Int) throws(EvaluationError) -> Value {
        do { return try context.value(at: index) } catch { throw error.located(at: at) }
    }

    private mutating func equal(_ left: Node, _ right: Node) throws(EvaluationError) -> Bool {
        let (a, b) = (try value(of: left), try value(of: right))
        // `json == null` costs nothing, whatever the size of the document.
        if a.hasParts == b.hasParts {
            try meter.charge(a, .comparison)
            try meter.charge(b, .comparison)
        }
        return Value.equal(a, b)
    }

    private mutating func compare(
        _ kind: Syntax.Operator, _ left: Node, _ right: Node, _ at: Int
    ) throws(EvaluationError) -> Bool {
        let (a, b) = (try value(of: left), try value(of: right))
        if !a.hasParts, !b.hasParts {
            try meter.charge(a, .comparison)
            try meter.charge(b, .comparison)
        }
        guard let order = Value.order(a, b) else { throw mismatch(at, a, b) }
        switch kind {
        case .less: return order == .less
        case .lessOrEqual: return order == .less || order == .equal
        case .greater: return order == .greater
        default: return order == .greater || order == .equal
        }
    }

    /// `&&` and `||`: an operand that decides wins over an operand that errs, in either order. What is pending may still
    /// decide, so it wins over other errors.
    private mutating func logic(
        _ operands: [Node], stoppedBy decisive: Bool, _ at: Int
    ) throws(EvaluationError) -> Bool {
        var failure: EvaluationError?
        for operand in operands {
            do {
                if try truth(of: operand, at) == decisive { return decisive }
            } catch {
                if error.kind == .budgetExceeded { throw error }
                if failure == nil || error.kind == .pending { failure = error }
            }
        }
        if let failure { throw failure }
        return !decisive
    }

    private mutating func contained(_ operand: Node, _ list: ConstantList) throws(EvaluationError) -> Bool {
        let constants = list.constants
        try charge(constants.count >> 1)
        if case .pairPart(let slot, let isValue, _) = operand,
            let isContained = slots.withPart(of: slot, isValue: isValue, { list.contains($0) })
        {
            try charge(1)
            return isContained
        }
        let needle = try value(of: operand).resolved
        if case .string(let text) = needle { return list.contains(text.span) }
        if case .int(let number) = needle {
            for constant in constants {
                if case .int(let other) = constant {
                    if number == other { return true }
                } else if Value.equal(needle, constant.value) {
                    return true
                }
            }
            return false
        }
        for constant in constants where Value.equal(needle, constant.value) { return true }
        return false
    }

    private mutating func contains(_ left: Node, _ right: Node, _ at: Int) throws(EvaluationError) -> Bool {
        let (needle, range) = (try value(of: left), try value(of: right))
        if range.isMap || needle.string != nil {
            try meter.charge(needle, .comparison)
            try charge(lookingInto: range)
        }
        switch range {
        case .map(let map): return map[needle] != nil
        case .pairs, .pair:
            if let name = needle.string { return range.lookup(name) != nil }
            if case .pair = range { return false }
        case .json(let json) where json.kind == .object:
            return needle.string.map { json.member($0.span) != nil } ?? false
        default: break
        }
        try meter.charge(range, .comparison)
        if needle.hasParts { try meter.charge(needle, .comparison, times: range.size ?? 0) }
        guard range.isList, var cursor = ElementCursor(range) else { throw mismatch(at, needle, range) }
        while let element = cursor.next() {
            if Value.equal(needle, element) { return true }
        }
        return false
    }

    private mutating func call(
        _ body: Function.Body, _ cost: Cost, _ arguments: [Node], _ at: Int
    ) throws(EvaluationError) -> Value {
        let result: Value
        try charge(cost.call)
        switch body {
        case .nullary(let function):
            do { result = try function() } catch { throw error.located(at: at) }
        case .unary(let function):
            let only = try value(of: arguments[0])
            try meter.charge(only, cost)
            do { result = try function(only) } catch { throw error.located(at: at) }
        case .binary(let function):
            let (first, second) = (try value(of: arguments[0]), try value(of: arguments[1]))
            try meter.charge(first, cost)
            try meter.charge(second, cost)
            do { result = try function(first, second) } catch { throw error.located(at: at) }
        // Else a node of its own (`transformed`): this one is followed.
        case .transform(let transform):
            let only = try value(of: arguments[0])
            try meter.charge(only, cost)
            do { result = try transform.value(of: only) } catch { throw error.located(at: at) }
        case .join: return .null
        case .variadic(let function):
            let values = try values(of: arguments, cost)
            do { result = try function(values) } catch { throw error.located(at: at) }
        case .metered(let function):
            let values = try values(of: arguments, cost)
            do { result = try function(values, &meter) } catch { throw error.located(at: at) }
        }
        try meter.charge(result: result, cost)
        return result
    }

    mutating func values(of arguments: [Node], _ cost: Cost) throws(EvaluationError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(arguments.count)
        for argument in arguments {
            let value = try value(of: argument)
            try meter.charge(value, cost)
            values.append(value)
        }
        return values
    }

    private mutating func matches(_ operand: Node, _ pattern: Pattern, _ at: Int) throws(EvaluationError) -> Bool {
        let subject = try value(of: operand)
        guard let text = subject.string else { throw mismatch(at, subject) }
        guard let found = pattern.matches(text.span, steps: &meter.steps) else {
            throw EvaluationError(.budgetExceeded)
        }
        return found
    }
}
