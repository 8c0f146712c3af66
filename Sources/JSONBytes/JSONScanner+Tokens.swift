import Bytes

extension JSONScanner {
    /// A string or key at its opening quote. Plain ones, which are half of an answer's nodes, need no call.
    @inline(__always)
    mutating func string(_ bytes: Span<UInt8>, _ tape: inout OutputSpan<JSONNode>) throws(JSONError) {
        let start = position
        let end = JSONText.plainEnd(bytes, from: start &+ 1, stopsAtDelete: false)
        if end < bytes.count, bytes[end] == 0x22 {
            position = end &+ 1
            try append(.string, flags: 0, from: start, &tape)
        } else {
            try string(bytes, from: start, at: end, &tape)
        }
    }

    /// The rest of one, from the first byte on that is not plain.
    @inline(never)
    private mutating func string(
        _ bytes: Span<UInt8>, from start: Int, at end: Int, _ tape: inout OutputSpan<JSONNode>
    ) throws(JSONError) {
        var index = end
        var flags: UInt8 = 0
        while true {
            index = JSONText.plainEnd(bytes, from: index, stopsAtDelete: false)
            guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
            let byte = bytes[index]
            if byte == 0x22 {
                position = index &+ 1
                return try append(.string, flags: flags, from: start, &tape)
            }
            if byte >= 0x80 {
                // Such characters seldom come alone.
                repeat {
                    let length = UTF8Sequence.length(bytes, at: index)
                    guard length > 0 else { throw JSONError(.invalidUTF8, at: index) }
                    index &+= length
                } while index < bytes.count && bytes[index] >= 0x80
            } else {
                guard byte == 0x5C else { throw JSONError(.controlInString, at: index) }
                flags |= JSONNode.escaped
                index = try Self.escape(bytes, at: index, &flags)
            }
        }
    }

    /// Checks the escape that begins at the backslash and returns the index behind it (behind both halves of a pair).
    private static func escape(_ bytes: Span<UInt8>, at index: Int, _ flags: inout UInt8) throws(JSONError) -> Int {
        guard index + 1 < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
        switch bytes[index + 1] {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return index + 2
        case 0x75: break
        default: throw JSONError(.invalidEscape, at: index)
        }
        guard let unit = JSONEscape.unit(bytes, at: index) else {
            // A text that stops here may still be the start of a valid one; the difference helps who reads the error.
            throw JSONError(index + 6 > bytes.count ? .unexpectedEnd : .invalidEscape, at: index)
        }
        if unit & 0xF800 == 0xD800 {
            if unit < 0xDC00, let low = JSONEscape.unit(bytes, at: index + 6), low & 0xFC00 == 0xDC00 {
                return index + 12
            }
            flags |= JSONNode.loneSurrogate
        }
        return index + 6
    }

    /// A number token; the value stays text until somebody asks.
    mutating func number(_ bytes: Span<UInt8>, _ tape: inout OutputSpan<JSONNode>) throws(JSONError) {
        let start = position
        var index = start
        if bytes[index] == 0x2D { index &+= 1 }
        let digits = index
        index = Self.skipDigits(bytes, index)
        guard index > digits else { throw JSONError(.invalidNumber, at: index) }
        // RFC 8259 6: no leading zeros; `01` is the number 0 and a stray byte.
        if bytes[digits] == 0x30, index > digits + 1 { throw JSONError(.invalidNumber, at: digits + 1) }
        var flags = JSONNode.integral
        if index < bytes.count, bytes[index] == 0x2E {
            flags = 0
            let fraction = index + 1
            index = Self.skipDigits(bytes, fraction)
            guard index > fraction else { throw JSONError(.invalidNumber, at: fraction) }
        }
        if index < bytes.count, bytes[index] | 0x20 == 0x65 {
            flags = 0
            index &+= 1
            if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D { index &+= 1 }
            let exponent = index
            index = Self.skipDigits(bytes, exponent)
            guard index > exponent else { throw JSONError(.invalidNumber, at: exponent) }
        }
        position = index
        try append(.number, flags: flags, from: start, &tape)
    }

    private static func skipDigits(_ bytes: Span<UInt8>, _ from: Int) -> Int {
        var index = from
        while index < bytes.count, bytes[index] &- 0x30 < 10 { index &+= 1 }
        return index
    }
}
