extension Evaluator {
    mutating func aggregate(_ node: Node) throws(EvaluationError) -> Value {
        if case .list(let items) = node { return try list(items) }
        if case .map(let entries) = node { return try map(entries) }
        return .null
    }

    private mutating func list(_ items: [Node.Item]) throws(EvaluationError) -> Value {
        var elements: [Value] = []
        elements.reserveCapacity(items.count)
        for item in items {
            let element = try value(of: item.node)
            if !item.isOptional {
                elements.append(element)
            } else if case .optional(let inner) = element {
                if let inner { elements.append(inner) }
            } else {
                throw mismatch(-1, element)
            }
        }
        return .list(elements)
    }

    private mutating func map(_ entries: [Node.Entry]) throws(EvaluationError) -> Value {
        var map = MapValue()
        for entry in entries {
            try charge(6)
            let key = try value(of: entry.key)
            var element = try value(of: entry.value)
            if entry.isOptional {
                guard case .optional(let inner) = element else { throw mismatch(entry.at, element) }
                guard let inner else { continue }
                element = inner
            }
            guard map[key] == nil else { throw EvaluationError(.duplicateKey, at: entry.at) }
            guard !isDouble(key), map.insert(element, for: key) else { throw mismatch(entry.at, key) }
        }
        return .map(map)
    }

    /// A double finds a key, but cannot be one.
    private func isDouble(_ key: Value) -> Bool {
        if case .double = key.resolved { true } else { false }
    }

    mutating func bind(_ slot: Int, _ value: Node, _ body: Node) throws(EvaluationError) -> Value {
        slots[slot] = try self.value(of: value)
        return try self.value(of: body)
    }

    mutating func mapOptional(
        _ slot: Int, _ operand: Node, _ body: Node, _ flat: Bool, _ at: Int
    ) throws(EvaluationError) -> Value {
        let value = try value(of: operand)
        guard case .optional(let inner) = value else { throw mismatch(at, value) }
        guard let inner else { return value }
        slots[slot] = inner
        let result = try self.value(of: body)
        guard flat else { return .optional(result) }
        guard case .optional = result else { throw mismatch(at, result) }
        return result
    }
}
