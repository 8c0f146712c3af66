import Bytes

/// Byte classes of HTTP's grammar. Two 64-bit masks instead of a table: no memory access, no lazy global, no bounds check.
enum ByteClass {
    static let carriageReturn: UInt8 = 0x0D
    static let lineFeed: UInt8 = 0x0A
    static let space: UInt8 = 0x20
    static let tab: UInt8 = 0x09
    static let colon: UInt8 = 0x3A

    /// `tchar` of RFC 9110 5.6.2.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        let word: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return byte < 128 && (word &>> UInt64(byte & 63)) & 1 == 1
    }

    /// What a field value may hold: HTAB, SP, visible ASCII and opaque bytes above it (RFC 9110 5.5).
    @inline(__always)
    static func isFieldText(_ byte: UInt8) -> Bool {
        (byte >= 0x20 && byte != 0x7F) || byte == tab
    }

    /// Index of the first byte from `start` on that `isFieldText` refuses, or the count. Eight bytes a step: values are
    /// most of a head, and this halves its cost.
    @inline(__always)
    static func endOfFieldText(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = start
        while bytes.count &- index >= 8 {
            let word = bytes.word(at: index)
            let delete = word ^ (ones &* 0x7F)
            // High bit of each byte that is below 0x20, or equal to 0x7F. A borrow can only add a false alarm.
            let control = (word &- (ones &* 0x20)) & ~word
            guard (control | ((delete &- ones) & ~delete)) & (ones &* 0x80) == 0 else { break }
            index &+= 8
        }
        while index < bytes.count, isFieldText(bytes[index]) { index &+= 1 }
        return index
    }

    /// Index of the first byte from `start` on that is not visible ASCII, or the count.
    @inline(__always)
    static func endOfVisible(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = start
        while bytes.count &- index >= 8 {
            let word = bytes.word(at: index)
            // High bit of each byte that is above 0x7E, or below 0x21; a borrow can only add a false alarm.
            guard (word | (word &+ ones) | (word &- (ones &* 0x21))) & (ones &* 0x80) == 0 else { break }
            index &+= 8
        }
        while index < bytes.count, bytes[index] &- 0x21 < 0x5E { index &+= 1 }
        return index
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    @inline(__always)
    static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}

extension Span where Element == UInt8 {
    /// Eight bytes, little-endian; the optimiser makes one load of it.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        let piece = extracting(index..<index &+ 8)
        let low = UInt64(piece[0]) | UInt64(piece[1]) << 8 | UInt64(piece[2]) << 16 | UInt64(piece[3]) << 24
        let high = UInt64(piece[4]) | UInt64(piece[5]) << 8 | UInt64(piece[6]) << 16 | UInt64(piece[7]) << 24
        return low | high << 32
    }

    /// Compares with a lower-case ASCII literal, folding the case of the span.
    @inline(__always)
    func isFolded(_ literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        return literal.withSpan { text in
            for index in text.indices where ByteClass.lower(self[index]) != text[index] { return false }
            return true
        }
    }

    /// Whether the span starts with a lower-case ASCII literal, case folded.
    func hasFoldedPrefix(_ literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        return count >= length && extracting(0..<length).isFolded(literal)
    }

    /// The span without SP and HTAB at both ends, as offsets.
    func trimmedRange(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, ByteClass.isBlank(self[start]) { start += 1 }
        while end > start, ByteClass.isBlank(self[end - 1]) { end -= 1 }
        return start..<end
    }
}
