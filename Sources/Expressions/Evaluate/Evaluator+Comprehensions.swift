extension Evaluator {
    mutating func comprehend(_ comprehension: Comprehension) throws(EvaluationError) -> Value {
        let range = try value(of: comprehension.range)
        guard let cursor = ElementCursor(range) else { throw mismatch(comprehension.offset, range) }
        switch comprehension.kind {
        case .all: return .bool(try quantify(comprehension, range, cursor, stoppedBy: false))
        case .exists: return .bool(try quantify(comprehension, range, cursor, stoppedBy: true))
        case .existsOne: return .bool(try count(comprehension, range, cursor) == 1)
        case .filter, .map: return .list(try collect(comprehension, range, cursor))
        case .sortBy: return .list(try sort(comprehension, cursor))
        case .transformMap, .transformMapEntry: return .map(try transform(comprehension, range, cursor))
        }
    }

    /// Puts the next element into the slots; false at the end.
    private mutating func advance(
        _ comprehension: Comprehension, _ range: Value, _ cursor: inout ElementCursor, _ position: Int
    ) throws(EvaluationError) -> Bool {
        guard let element = cursor.next() else { return false }
        try charge(1)
        guard let valueSlot = comprehension.valueSlot else {
            slots[comprehension.slot] = element
            return true
        }
        if range.isList {
            slots[comprehension.slot] = .int(Int64(position))
            slots[valueSlot] = element
        } else {
            slots[comprehension.slot] = element
            if case .map(let map) = range {
                slots[valueSlot] = map[element] ?? .null
            } else {
                slots[valueSlot] = element.string.flatMap { range.lookup($0) } ?? .null
            }
        }
        return true
    }

    private mutating func quantify(
        _ comprehension: Comprehension, _ range: Value, _ start: ElementCursor, stoppedBy decisive: Bool
    ) throws(EvaluationError) -> Bool {
        var (cursor, position) = (start, 0)
        var failure: EvaluationError?
        while try advance(comprehension, range, &cursor, position) {
            position += 1
            do {
                if try truth(of: comprehension.body, comprehension.offset) == decisive { return decisive }
            } catch {
                if error.kind == .budgetExceeded { throw error }
                if failure == nil { failure = error }
            }
        }
        if let failure { throw failure }
        return !decisive
    }

    private mutating func count(
        _ comprehension: Comprehension, _ range: Value, _ start: ElementCursor
    ) throws(EvaluationError) -> Int {
        var (cursor, position, found) = (start, 0, 0)
        while try advance(comprehension, range, &cursor, position) {
            position += 1
            if try truth(of: comprehension.body, comprehension.offset) { found += 1 }
        }
        return found
    }

    private mutating func collect(
        _ comprehension: Comprehension, _ range: Value, _ start: ElementCursor
    ) throws(EvaluationError) -> [Value] {
        var (cursor, position) = (start, 0)
        var result: [Value] = []
        result.reserveCapacity(min(cursor.count, 256))
        while try advance(comprehension, range, &cursor, position) {
            position += 1
            if let filter = comprehension.filter, !(try truth(of: filter, comprehension.offset)) { continue }
            if comprehension.kind == .filter {
                result.append(slots[comprehension.slot])
            } else {
                result.append(try value(of: comprehension.body))
            }
        }
        return result
    }

    /// Stable: elements with equal keys stay in order.
    private mutating func sort(
        _ comprehension: Comprehension, _ start: ElementCursor
    ) throws(EvaluationError) -> [Value] {
        var cursor = start
        var (elements, keys): ([Value], [Value]) = ([], [])
        elements.reserveCapacity(min(cursor.count, 256))
        keys.reserveCapacity(min(cursor.count, 256))
        while let element = cursor.next() {
            try charge(1)
            slots[comprehension.slot] = element
            elements.append(element)
            keys.append(try value(of: comprehension.body).resolved)
        }
        try charge(keys.count * 4)
        return try Sorting.sorted(elements, by: keys, at: comprehension.offset)
    }

    private mutating func transform(
        _ comprehension: Comprehension, _ range: Value, _ start: ElementCursor
    ) throws(EvaluationError) -> MapValue {
        var (cursor, position, result) = (start, 0, MapValue())
        while try advance(comprehension, range, &cursor, position) {
            position += 1
            if let filter = comprehension.filter, !(try truth(of: filter, comprehension.offset)) { continue }
            let key = slots[comprehension.slot]
            let made = try value(of: comprehension.body)
            let entries = comprehension.kind == .transformMap ? [(key: key, value: made)] : made.asMap?.entries
            guard let entries else { throw mismatch(comprehension.offset, made) }
            for entry in entries {
                guard result[entry.key] == nil else { throw EvaluationError(.duplicateKey, at: comprehension.offset) }
                guard result.insert(entry.value, for: entry.key) else {
                    throw mismatch(comprehension.offset, entry.key)
                }
            }
        }
        return result
    }
}
