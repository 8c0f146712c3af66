import Bytes

/// Functions on JSON as text.
package enum JSONText {
    /// How far into a body, and at how many brackets, `findDocument` looks: notices before the JSON are short, and each
    /// failed attempt may read the whole body.
    private static let searchBytes = 65_536
    private static let searchAttempts = 64

    /// The text that begins at the first `{` or `[` from which a valid one runs to the end: servers print warnings before
    /// their JSON. `nil` when there is none within the first 64 KiB and 64 brackets.
    package static func findDocument(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> JSONDocument? {
        var attempts = 0
        var index = 0
        while index < min(bytes.count, searchBytes), attempts < searchAttempts {
            if bytes[index] == 0x7B || bytes[index] == 0x5B {
                attempts += 1
                if let document = try? JSONDocument(parsing: bytes, from: index, limits: limits) { return document }
            }
            index += 1
        }
        return nil
    }

    /// Index of the next byte that needs a look in a string: quote, backslash, control, non-ASCII and, when asked for, DEL;
    /// or the count.
    ///
    /// The tightest loop of this target, hence eight bytes at a time. Its first round stands alone, because most strings
    /// end there and code without a loop needs no check at all.
    @inline(__always)
    static func plainEnd(_ bytes: Span<UInt8>, from start: Int, stopsAtDelete: Bool) -> Int {
        var index = start
        if index &+ 8 <= bytes.count {
            let first = marked(ByteWord.load(bytes, at: index), stopsAtDelete)
            if first != 0 { return index &+ first.trailingZeroBitCount &>> 3 }
            index &+= 8
            // Written as `index + 8 <= count`, the condition would cost the load its constant length (Swift 6.3).
            while index < bytes.count &- 7 {
                let later = marked(ByteWord.load(bytes, at: index), stopsAtDelete)
                if later != 0 { return index &+ later.trailingZeroBitCount &>> 3 }
                index &+= 8
            }
        }
        return plainEndBytewise(bytes, from: index, stopsAtDelete)
    }

    /// The top bit of each byte that needs a look; bits above the lowest one may lie.
    ///
    /// Where a byte is below 0x21 (or zero), subtracting that (or 1) borrows into its top bit; a borrow may spoil the
    /// bytes above, never those below. Flipping bit 1 puts the quote (0x22) next to the controls and the blank away from
    /// them. Of the non-ASCII bytes the backslash's difference misses only 0xDC, which the other one has.
    @inline(__always)
    private static func marked(_ word: UInt64, _ stopsAtDelete: Bool) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        let control = (word ^ (ones &* 0x02)) &- ones &* 0x21
        let backslash = (word ^ (ones &* 0x5C)) &- ones
        // DEL (0x7F) is the one ASCII byte that adding 1 carries into the top bit.
        let delete = stopsAtDelete ? (word & ~tops) &+ ones : 0
        return (control | backslash | delete) & tops
    }

    /// `plainEnd` where less than a word is left.
    @inline(never)
    private static func plainEndBytewise(_ bytes: Span<UInt8>, from start: Int, _ stopsAtDelete: Bool) -> Int {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte >= (stopsAtDelete ? 0x7F : 0x80) { break }
            index &+= 1
        }
        return index
    }

    /// Appends the content of a string literal, without the quotes. See `JSONWriter.string(_:)`.
    package static func appendEscaped(
        _ text: Span<UInt8>, escapesInvisible: Bool = false, to output: inout [UInt8]
    ) {
        var index = 0
        var copied = 0
        while true {
            index = plainEnd(text, from: index, stopsAtDelete: true)
            guard index < text.count else { break }
            let byte = text[index]
            var length = 1
            if byte >= 0x80 {
                length = UTF8Sequence.length(text, at: index)
                if length > 0, !escapesInvisible || !isInvisible(text, at: index, length) {
                    index += length
                    continue
                }
            } else if byte == 0x7F, !escapesInvisible {
                index += 1
                continue
            }
            output.append(copying: text.extracting(copied..<index))
            if length == 0 {
                output.append(contentsOf: [0xEF, 0xBF, 0xBD])
                length = 1
            } else if length == 1 {
                appendEscape(of: byte, to: &output)
            } else {
                appendUnit(UTF8Sequence.scalar(text, at: index, length: length), to: &output)
            }
            index += length
            copied = index
        }
        output.append(copying: text.extracting(copied..<text.count))
    }

    /// C1 controls, soft hyphen, Arabic letter mark, zero-width and bidirectional characters, line and paragraph
    /// separator, word joiners, byte order mark: all in the basic plane. Variation selectors and tags are left: they show.
    private static func isInvisible(_ text: Span<UInt8>, at index: Int, _ length: Int) -> Bool {
        guard length < 4 else { return false }
        switch UTF8Sequence.scalar(text, at: index, length: length) {
        case 0x80...0x9F, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: return true
        default: return false
        }
    }

    private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
        let letter: UInt8
        switch byte {
        case 0x22, 0x5C: letter = byte
        case 0x08: letter = 0x62
        case 0x09: letter = 0x74
        case 0x0A: letter = 0x6E
        case 0x0C: letter = 0x66
        case 0x0D: letter = 0x72
        default: return appendUnit(UInt32(byte), to: &output)
        }
        output.append(0x5C)
        output.append(letter)
    }

    private static func appendUnit(_ unit: UInt32, to output: inout [UInt8]) {
        output.append(0x5C)
        output.append(0x75)
        for shift in [12, 8, 4, 0] as [UInt32] {
            output.append(Hex.lowerDigit(UInt8(truncatingIfNeeded: unit >> shift) & 15))
        }
    }
}
