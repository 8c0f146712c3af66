/// Name and value pairs in the order received, over one shared buffer: header fields, query parameters, form fields.
/// Two allocations for any number of pairs; names and values are byte ranges, never `String`.
@usableFromInline package struct PairBlock: Sendable {
    /// One pair as offsets into `bytes`.
    @usableFromInline package struct Entry: Sendable {
        @usableFromInline package var nameStart: Int32
        @usableFromInline package var nameCount: Int32
        @usableFromInline package var valueStart: Int32
        @usableFromInline package var valueCount: Int32

        package init(nameStart: Int, nameCount: Int, valueStart: Int, valueCount: Int) {
            self.nameStart = Int32(truncatingIfNeeded: nameStart)
            self.nameCount = Int32(truncatingIfNeeded: nameCount)
            self.valueStart = Int32(truncatingIfNeeded: valueStart)
            self.valueCount = Int32(truncatingIfNeeded: valueCount)
        }
    }

    @usableFromInline package internal(set) var bytes: [UInt8]
    @usableFromInline package internal(set) var entries: [Entry]

    package init() {
        bytes = []
        entries = []
    }

    /// Wraps bytes that a parser has already split. Every entry must lie inside `bytes` (32-bit offsets: 2 GiB at most).
    package init(bytes: [UInt8], entries: [Entry]) {
        self.bytes = bytes
        self.entries = entries
    }

    package var count: Int { entries.count }
    package var isEmpty: Bool { entries.isEmpty }

    /// One pair by itself.
    package func record(at index: Int) -> PairRecord { PairRecord(bytes: bytes, entry: entries[index]) }

    package func name(at index: Int) -> ArraySlice<UInt8> {
        let entry = entries[index]
        return bytes[Int(entry.nameStart)..<Int(entry.nameStart) + Int(entry.nameCount)]
    }

    package func value(at index: Int) -> ArraySlice<UInt8> {
        let entry = entries[index]
        return bytes[Int(entry.valueStart)..<Int(entry.valueStart) + Int(entry.valueCount)]
    }

    /// Index of the first pair with this name, from `start` on; ASCII case is folded when asked (header fields).
    package func firstIndex(of name: Span<UInt8>, folding: Bool, from start: Int = 0) -> Int? {
        var index = start
        while index < entries.count {
            let entry = entries[index]
            if Int(entry.nameCount) == name.count {
                let start = Int(entry.nameStart)
                let span = bytes.span.extracting(start..<start + Int(entry.nameCount))
                if folding ? ASCII.equalFolded(span, name) : ASCII.equal(span, name) { return index }
            }
            index += 1
        }
        return nil
    }

    /// First value with this name.
    package func first(_ name: StaticString, folding: Bool) -> ArraySlice<UInt8>? {
        name.withSpan { firstIndex(of: $0, folding: folding) }.map { value(at: $0) }
    }

    package mutating func reserve(bytes count: Int, entries entryCount: Int) {
        bytes.reserveCapacity(bytes.count + count)
        entries.reserveCapacity(entries.count + entryCount)
    }

    package mutating func append(name: Span<UInt8>, value: Span<UInt8>) {
        let start = bytes.count
        bytes.append(copying: name)
        bytes.append(copying: value)
        entries.append(
            Entry(
                nameStart: start, nameCount: name.count, valueStart: start + name.count, valueCount: value.count))
    }

    package mutating func append(name: [UInt8], value: [UInt8]) { append(name: name.span, value: value.span) }

    /// Another value in the same place.
    package mutating func replaceValue(at index: Int, with value: [UInt8]) {
        entries[index].valueStart = Int32(truncatingIfNeeded: bytes.count)
        entries[index].valueCount = Int32(truncatingIfNeeded: value.count)
        bytes += value
    }

    /// Reorders the pairs; equal ones stay in order. The closure tells whether the first of two entries belongs behind the
    /// second; it gets `bytes` as well.
    @inlinable package mutating func sort(by isAfter: (Entry, Entry, Span<UInt8>) -> Bool) {
        let bytes = bytes
        guard entries.count <= 24 else {
            let order = entries.indices.sorted { a, b in
                isAfter(entries[b], entries[a], bytes.span) || (!isAfter(entries[a], entries[b], bytes.span) && a < b)
            }
            entries = order.map { entries[$0] }
            return
        }
        // Insertion for short lists: a form has ten fields, and the library's sort costs 5 us before it compares anything.
        var list = entries.mutableSpan
        for index in list.indices {
            let entry = list[index]
            var place = index
            while place > 0, isAfter(list[place - 1], entry, bytes.span) {
                list[place] = list[place - 1]
                place -= 1
            }
            list[place] = entry
        }
    }

    /// Drops the pairs for which the closure says no. Copies nothing when it always says yes. Inlined, as `sort` is: a call
    /// to a generic closure for each pair is a twentieth of a signature's time.
    @inlinable package mutating func keep<Failure: Error>(
        where isKept: (Entry) throws(Failure) -> Bool
    ) throws(Failure) {
        var kept = 0
        for index in entries.indices {
            let entry = entries[index]
            guard try isKept(entry) else { continue }
            if kept < index { entries[kept] = entry }
            kept += 1
        }
        entries.removeLast(entries.count - kept)
    }

    /// Drops the pairs for which the predicate (index) holds. Their bytes stay in the buffer, unreferenced.
    package mutating func removeAll(where isDropped: (PairBlock, Int) -> Bool) {
        var kept: [Entry] = []
        kept.reserveCapacity(entries.count)
        for index in entries.indices where !isDropped(self, index) { kept.append(entries[index]) }
        entries = kept
    }
}
