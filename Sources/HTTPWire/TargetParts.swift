import Bytes

/// A request target taken apart and checked. The bytes stay as received: signed means byte for byte.
struct TargetParts {
    /// Offsets in the target.
    var authority: Range<Int>?
    /// Empty for an absolute-form without a path.
    var path: Range<Int>
    var query: Range<Int>?
    var isAsterisk = false

    init(_ target: Span<UInt8>, method: RequestMethod) throws(WireRefusal) {
        guard target.count > 0 else { throw WireRefusal(.badRequestLine) }
        var start = 0
        if target[0] == 0x2A {
            guard target.count == 1, method == .options else { throw WireRefusal(.badTarget) }
            path = 0..<1
            isAsterisk = true
            return
        }
        if target[0] != 0x2F {
            let range = try Self.authority(target)
            authority = range
            start = range.upperBound
        }
        let end = try Self.checkPath(target, from: start)
        path = start..<end
        if end < target.count {
            try Self.checkQuery(target, from: end + 1)
            query = end + 1..<target.count
        }
    }

    /// Absolute-form: `http` only (RFC 9112 3.2.2), without user information.
    private static func authority(_ target: Span<UInt8>) throws(WireRefusal) -> Range<Int> {
        guard target.hasFoldedPrefix("http://") else { throw WireRefusal(.badTarget) }
        var end = 7
        while end < target.count, target[end] != 0x2F, target[end] != 0x3F { end += 1 }
        guard Authority(target.extracting(7..<end)) != nil else { throw WireRefusal(.badTarget) }
        return 7..<end
    }

    /// What a path of the gateway's own making must keep to, as a client's must: every escape whole, no dot segment in any
    /// spelling, no backslash, no fragment. Looks as far as the `?`.
    static func check(path: Span<UInt8>) throws(WireRefusal) { _ = try checkPath(path, from: 0) }

    /// Checks bytes, escapes and segments up to `?` or the end, whose index it returns. A segment is a dot segment also
    /// when its dots or slashes are escaped, and when parameters follow (`..;x`): servers differ in what they decode
    /// first. An escaped backslash separates too, as it does on Windows.
    static func checkPath(_ target: Span<UInt8>, from start: Int) throws(WireRefusal) -> Int {
        var index = start
        // Dots since the last separator; -1 once the segment holds anything else.
        var dots = -1
        while index < target.count, target[index] != 0x3F {
            var byte = target[index]
            index += 1
            if byte == 0x25 {
                byte = try escape(target, at: index)
                index += 2
                if byte == 0x5C { byte = 0x2F }
            } else if byte == 0x5C || byte == 0x23 {
                throw WireRefusal(.badTarget)
            }
            switch byte {
            case 0x2E: if dots >= 0 { dots += 1 }
            case 0x2F, 0x3B:
                if dots == 1 || dots == 2 { throw WireRefusal(.dotSegment) }
                dots = byte == 0x2F ? 0 : -1
            default: dots = -1
            }
        }
        if dots == 1 || dots == 2 { throw WireRefusal(.dotSegment) }
        return index
    }

    private static func checkQuery(_ target: Span<UInt8>, from start: Int) throws(WireRefusal) {
        var index = start
        while index < target.count {
            let byte = target[index]
            index += 1
            if byte == 0x25 {
                _ = try escape(target, at: index)
                index += 2
            } else if byte == 0x5C || byte == 0x23 {
                throw WireRefusal(.badTarget)
            }
        }
    }

    /// The byte an escape stands for; NUL is refused, since it ends a string in C.
    private static func escape(_ target: Span<UInt8>, at index: Int) throws(WireRefusal) -> UInt8 {
        guard index + 1 < target.count, let high = ASCII.hexValue(target[index]),
            let low = ASCII.hexValue(target[index + 1]), high | low != 0
        else { throw WireRefusal(.badTarget) }
        return high << 4 | low
    }
}
