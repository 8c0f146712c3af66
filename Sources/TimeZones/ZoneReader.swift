/// Takes a TZif file apart (RFC 9636 3).
struct ZoneReader {
    struct Header {
        var version: Int
        var isUTC = 0
        var isStandard = 0
        var leaps = 0
        var times = 0
        var types = 0
        var characters = 0

        func byteCount(timeBytes: Int) -> Int {
            times * (timeBytes + 1) + types * 6 + characters + leaps * (timeBytes + 4) + isStandard + isUTC
        }
    }

    struct Block {
        var transitions: [Int64] = []
        var offsets: [Int32] = []
        var first: Int32 = 0
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func skip(_ count: Int) -> Bool {
        guard rest.count >= count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    private mutating func number(_ count: Int) -> Int64? {
        guard rest.count >= count else { return nil }
        let value = rest.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(count)
        return count == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
    }

    mutating func header() -> Header? {
        guard rest.starts(with: "TZif".utf8), skip(4), let version = rest.popFirst(), skip(15) else { return nil }
        var header = Header(version: version < 0x32 ? 1 : 2)
        var counts: [Int] = []
        for _ in 0..<6 {
            // No file comes near; the sums below cannot overflow.
            guard let count = number(4), (0...100_000).contains(count) else { return nil }
            counts.append(Int(count))
        }
        (header.isUTC, header.isStandard, header.leaps) = (counts[0], counts[1], counts[2])
        (header.times, header.types, header.characters) = (counts[3], counts[4], counts[5])
        return header.types > 0 ? header : nil
    }

    mutating func block(_ header: Header, timeBytes: Int) -> Block? {
        guard rest.count >= header.byteCount(timeBytes: timeBytes) else { return nil }
        var block = Block()
        for _ in 0..<header.times {
            guard let time = number(timeBytes), block.transitions.last ?? .min < time || block.transitions.isEmpty
            else {
                return nil
            }
            block.transitions.append(time)
        }
        let indices = rest.prefix(header.times)
        rest = rest.dropFirst(header.times)
        var types: [Int32] = []
        for _ in 0..<header.types {
            guard let offset = number(4), abs(offset) < 172_800, skip(2) else { return nil }
            types.append(Int32(offset))
        }
        for index in indices {
            guard Int(index) < types.count else { return nil }
            block.offsets.append(types[Int(index)])
        }
        // Before the first transition the first type holds.
        block.first = types[0]
        let behind = header.characters + header.leaps * (timeBytes + 4) + header.isStandard + header.isUTC
        return skip(behind) ? block : nil
    }

    /// The text between the two line ends at the end: a rule as in `TZ`.
    mutating func footer() -> ArraySlice<UInt8>? {
        guard rest.popFirst() == 0x0A, let end = rest.firstIndex(of: 0x0A) else { return nil }
        return rest[..<end]
    }
}
