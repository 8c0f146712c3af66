import Bytes

/// Texts and bytes are put together in one buffer, without a value for each part: what signatures are made of.
extension Evaluator {
    enum Appended {
        case string, bytes
        /// Nothing was appended.
        case other(Value)

        /// With the type that was appended, for messages.
        var value: Value {
            switch self {
            case .string: .string([])
            case .bytes: .bytes([])
            case .other(let value): value
            }
        }
    }

    mutating func built(_ node: Node) throws(EvaluationError) -> Value {
        if case .transformed(let transform, let cost, let operand, let at) = node, !operand.isBuilt {
            // What is there already (a body of some MiB) is not copied first.
            let argument = try value(of: operand)
            try charge(cost.call)
            try meter.charge(argument, cost)
            do { return try transform.value(of: argument) } catch { throw error.located(at: at) }
        }
        var output: [UInt8] = []
        output.reserveCapacity(256)
        switch try append(node, to: &output) {
        case .string: return .text(output)
        case .bytes: return .bytes(output[...])
        case .other(let value): return value
        }
    }

    /// Appends the bytes of a string or of bytes.
    mutating func append(_ node: Node, to output: inout [UInt8]) throws(EvaluationError) -> Appended {
        switch node {
        case .constant(.string(let text)):
            try charge(1)
            output.append(copying: text.span)
            return .string
        case .pairPart(let slot, let isValue, let at):
            try charge(1)
            guard slots.withPart(of: slot, isValue: isValue, { output.append(copying: $0) }) != nil else {
                throw mismatch(at, slots[slot])
            }
            return .string
        case .concatenation(let parts): return try append(parts, to: &output)
        case .joined(let list, let separator, let at):
            try join(list, separator, at, to: &output)
            return .string
        case .transformed(let transform, let cost, let operand, let at) where operand.isBuilt:
            return try append(transform, cost, of: operand, at, to: &output)
        case .member(let operand, let index, let at):
            let value = try value(of: operand)
            guard case .object(let object) = value else { throw mismatch(at, value) }
            do {
                if try object.append(index, to: &output) { return .string }
                return append(try object.member(index), to: &output)
            } catch { throw error.located(at: at) }
        default: return append(try value(of: node), to: &output)
        }
    }

    private func append(_ value: Value, to output: inout [UInt8]) -> Appended {
        switch value.resolved {
        case .string(let text):
            output.append(copying: text.span)
            return .string
        case .bytes(let bytes):
            output.append(copying: bytes.span)
            return .bytes
        default: return .other(value)
        }
    }

    private mutating func append(_ parts: [Node.Part], to output: inout [UInt8]) throws(EvaluationError) -> Appended {
        let start = output.count
        let first = try append(parts[0].node, to: &output)
        var last = start
        for part in parts.dropFirst() {
            let next = try append(part.node, to: &output)
            switch (first, next) {
            case (.string, .string), (.bytes, .bytes): break
            default: throw mismatch(part.at, first.value, next.value)
            }
            try check(output.count - start, part.at)
            try charge((output.count - last) >> 6)
            last = output.count
        }
        return first
    }

    private mutating func append(
        _ transform: Transform, _ cost: Cost, of operand: Node, _ at: Int, to output: inout [UInt8]
    ) throws(EvaluationError) -> Appended {
        let start = output.count
        if case .other(let value) = try append(operand, to: &output) {
            throw EvaluationError(.noSuchOverload, value.typeName.name, at: at)
        }
        try charge(cost.call + cost.steps(bytes: output.count - start))
        transform.replaceTail(of: &output, from: start)
        try check(output.count - start, at)
        return transform.makesBytes ? .bytes : .string
    }

    private func check(_ count: Int, _ at: Int) throws(EvaluationError) {
        guard count <= Function.outputLimit else { throw EvaluationError(.tooLarge, at: at) }
    }

    /// The elements of a `map` are appended as they come; every other list is there first.
    private mutating func join(
        _ list: Node, _ separator: Node?, _ at: Int, to output: inout [UInt8]
    ) throws(EvaluationError) {
        var between: ArraySlice<UInt8> = []
        if let separator {
            let value = try value(of: separator)
            guard let text = value.string else { throw mismatch(at, value) }
            between = text
        }
        var parts = Parts(start: output.count, between: between, at: at)
        if case .comprehension(let comprehension) = list, comprehension.kind == .map {
            return try join(comprehension, &parts, to: &output)
        }
        let range = try value(of: list)
        guard range.isList, var cursor = ElementCursor(range) else { throw mismatch(at, range) }
        while let element = cursor.next() {
            try charge(1)
            parts.begin(&output)
            try end(&parts, append(element, to: &output), output.count)
        }
    }

    private struct Parts {
        let start: Int
        let between: ArraySlice<UInt8>
        let at: Int
        var isFirst = true
        /// End of the part before.
        var last: Int

        init(start: Int, between: ArraySlice<UInt8>, at: Int) {
            (self.start, self.between, self.at, last) = (start, between, at, start)
        }

        mutating func begin(_ output: inout [UInt8]) {
            if !isFirst, !between.isEmpty { output.append(copying: between.span) }
            isFirst = false
        }
    }

    private mutating func end(_ parts: inout Parts, _ appended: Appended, _ count: Int) throws(EvaluationError) {
        guard case .string = appended else { throw mismatch(parts.at, appended.value) }
        try check(count - parts.start, parts.at)
        try charge((count - parts.last) >> 6)
        parts.last = count
    }

    private mutating func join(
        _ comprehension: Comprehension, _ parts: inout Parts, to output: inout [UInt8]
    ) throws(EvaluationError) {
        let range = try value(of: comprehension.range)
        guard var cursor = ElementCursor(range) else { throw mismatch(comprehension.offset, range) }
        var position = 0
        while try advance(comprehension, range, &cursor, position) {
            position += 1
            if let filter = comprehension.filter, !(try truth(of: filter, comprehension.offset)) { continue }
            parts.begin(&output)
            try end(&parts, append(comprehension.body, to: &output), output.count)
        }
    }
}
