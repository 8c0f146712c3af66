import Bytes

extension Evaluator {
    mutating func comprehend(_ comprehension: Comprehension) throws(EvaluationError) -> Value {
        switch comprehension.kind {
        case .filter, .sortBy: try comprehend(comprehension, pairsOr: try value(of: comprehension.range))
        default: try comprehend(comprehension, try value(of: comprehension.range))
        }
    }

    /// Fewer pairs, or pairs in another order, are pairs: the same bytes, other entries.
    private mutating func comprehend(
        _ comprehension: Comprehension, pairsOr range: consuming Value
    ) throws(EvaluationError) -> Value {
        guard case .pairs(var block, let folding) = range else { return try comprehend(comprehension, range) }
        // Behind another of these nobody else holds the entries: let go of them, and they are changed in place.
        range = .null
        if comprehension.kind == .filter {
            try filter(comprehension, &block)
        } else {
            try sort(comprehension, &block)
        }
        return .pairs(block, folding: folding)
    }

    private mutating func comprehend(_ comprehension: Comprehension, _ range: Value) throws(EvaluationError) -> Value {
        guard let cursor = ElementCursor(range) else { throw mismatch(comprehension.offset, range) }
        switch comprehension.kind {
        case .all: return .bool(try quantify(comprehension, range, cursor, stoppedBy: false))
        case .exists: return .bool(try quantify(comprehension, range, cursor, stoppedBy: true))
        case .existsOne: return .bool(try count(comprehension, range, cursor) == 1)
        case .filter, .map: return .list(try collect(comprehension, range, cursor))
        case .sortBy: return .list(try sort(comprehension, cursor))
        case .transformMap, .transformMapEntry: return .map(try transform(comprehension, range, cursor))
        case .reduce: return try reduce(comprehension, range, cursor)
        }
    }

    private mutating func filter(
        _ comprehension: Comprehension, _ block: inout PairBlock
    ) throws(EvaluationError) {
        guard let filter = comprehension.filter else { return }
        let bytes = block.bytes
        slots.begin(pairsIn: bytes, at: comprehension.slot)
        try block.keep { entry throws(EvaluationError) in
            try charge(1)
            slots.move(to: entry, in: bytes, at: comprehension.slot)
            return try truth(of: filter, comprehension.offset)
        }
    }

    private mutating func sort(_ comprehension: Comprehension, _ block: inout PairBlock) throws(EvaluationError) {
        if case .pairPart(comprehension.slot, let isValue, _) = comprehension.body {
            try meter.charge(block, .sorting)
            block.sort { a, b, bytes in
                let (first, second) = isValue ? (a.values, b.values) : (a.names, b.names)
                return Value.order(bytes.extracting(first), bytes.extracting(second)) == .greater
            }
            return
        }
        var keys: [Value] = []
        keys.reserveCapacity(block.count)
        for index in 0..<block.count {
            try charge(5)
            slots[comprehension.slot] = .pair(block.record(at: index))
            keys.append(try value(of: comprehension.body).resolved)
        }
        try meter.charge(.list(keys), .sorting)
        let order = try Sorting.order(of: keys, at: comprehension.offset)
        block = PairBlock(bytes: block.bytes, entries: order.map { block.entries[$0] })
    }

    /// Puts the next element into the slots; false at the end.
    mutating func advance(
        _ comprehension: Comprehension, _ range: Value, _ cursor: inout ElementCursor, _ position: Int
    ) throws(EvaluationError) -> Bool {
        try charge(1)
        guard let valueSlot = comprehension.valueSlot else { return cursor.next(into: &slots, at: comprehension.slot) }
        if range.isList {
            guard let element = cursor.next() else { return false }
            slots[comprehension.slot] = .int(Int64(position))
            slots[valueSlot] = element
        } else {
            guard let member = cursor.nextMember() else { return false }
            slots[comprehension.slot] = member.key
            slots[valueSlot] = member.value
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
                if failure == nil || error.kind == .pending { failure = error }
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

    private mutating func reduce(
        _ comprehension: Comprehension, _ range: Value, _ start: ElementCursor
    ) throws(EvaluationError) -> Value {
        guard let accumulated = comprehension.result else { return .null }
        var (cursor, position) = (start, 0)
        var result = try value(of: accumulated.first)
        while try advance(comprehension, range, &cursor, position) {
            position += 1
            slots[accumulated.slot] = result
            result = try value(of: comprehension.body)
            // One round adds as many levels as an expression has (128), so that 16 between two looks do no harm.
            if position & 15 == 0 { try bound(result, levels: Self.mostLevels, comprehension.offset) }
        }
        try bound(result, levels: Self.mostLevels, comprehension.offset)
        return result
    }

    /// As in JSON.
    private static let mostLevels = 512

    /// Whatever frees, compares or writes a value goes down its levels on the stack: no loop may make as many as a client
    /// likes (100,000 of them ended the process).
    private mutating func bound(_ value: Value, levels: Int, _ offset: Int) throws(EvaluationError) {
        guard levels >= 0 else {
            throw EvaluationError(.tooLarge, "more than \(Self.mostLevels) values within each other", at: offset)
        }
        switch value {
        case .list(let elements):
            try charge(elements.count)
            for element in elements { try bound(element, levels: levels - 1, offset) }
        case .map(let map):
            try charge(map.count)
            for entry in map.entries { try bound(entry.value, levels: levels - 1, offset) }
        case .optional(let inner?): try bound(inner, levels: levels - 1, offset)
        default: break
        }
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
        try meter.charge(.list(keys), .sorting)
        return try Sorting.order(of: keys, at: comprehension.offset).map { elements[$0] }
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
                try charge(8)
                guard result[entry.key] == nil else { throw EvaluationError(.duplicateKey, at: comprehension.offset) }
                guard result.insert(entry.value, for: entry.key) else {
                    throw mismatch(comprehension.offset, entry.key)
                }
            }
        }
        return result
    }
}
