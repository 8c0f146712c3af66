/// What the clocks of a place showed and will show, from the system's time zone database.
package struct TimeZone: Sendable {
    /// Points in time from which an offset holds, ascending.
    private let transitions: [Int64]
    /// Seconds east of UTC behind each of them.
    private let offsets: [Int32]
    /// Before the first of them.
    private let first: Int32
    /// Behind the last one; nil: its offset stays.
    private let rule: ZoneRule?

    /// Reads TZif (RFC 9636); `nil` when it is none.
    package init?(_ bytes: [UInt8]) {
        var reader = ZoneReader(bytes)
        guard var header = reader.header() else { return nil }
        var width = 4
        if header.version >= 2 {
            // The first block has times of 32 bits, for readers of version 1.
            guard reader.skip(header.byteCount(timeBytes: 4)), let second = reader.header() else { return nil }
            (header, width) = (second, 8)
        }
        guard let block = reader.block(header, timeBytes: width) else { return nil }
        (transitions, offsets, first) = (block.transitions, block.offsets, block.first)
        rule = width == 8 ? reader.footer().flatMap { ZoneRule($0) } : nil
    }

    /// Seconds east of UTC at a point in time (Unix seconds).
    package func offset(at seconds: Int64) -> Int64 {
        guard let last = transitions.last else { return rule?.offset(at: seconds) ?? Int64(first) }
        if seconds >= last, let rule { return rule.offset(at: seconds) }
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return Int64(low == 0 ? first : offsets[low - 1])
    }

    /// Seconds east of UTC when the clocks show a time (seconds since 1970 as if it were UTC). Where they show it twice,
    /// the first; where they skip it, the offset before the gap.
    package func offset(atLocal seconds: Int64) -> Int64 {
        let early = offset(at: seconds - 86_400)
        if offset(at: seconds - early) == early { return early }
        let late = offset(at: seconds + 86_400)
        return offset(at: seconds - late) == late ? late : early
    }
}
