import Bytes

/// A text as a decoder would read it, with the way back to the original bytes. Looking for a plain secret in here finds
/// every way of writing it, which a list of encoded patterns cannot.
struct DecodedView {
    private(set) var bytes: [UInt8] = []
    /// Where in the original each byte begins; the last entry is the original's count.
    private var origins: [Int] = []

    /// The decodings that apply to this text: percent-encoding (also with `+` for the blank), JSON escapes.
    static func all(of text: Span<UInt8>) -> [DecodedView] {
        var (hasPercent, hasPlus, hasBackslash) = (false, false, false)
        for index in text.indices {
            let byte = text[index]
            if byte > 0x5C || byte &- 0x2C < 0x30 { continue }
            switch byte {
            case 0x25: hasPercent = true
            case 0x2B: hasPlus = true
            case 0x5C: hasBackslash = true
            default: break
            }
        }
        var views: [DecodedView] = []
        if hasPercent { views.append(DecodedView(percentEncoded: text, plusIsSpace: false)) }
        if hasPlus { views.append(DecodedView(percentEncoded: text, plusIsSpace: true)) }
        if hasBackslash { views.append(DecodedView(escaped: text)) }
        return views
    }

    /// Where a match lies in the original; an escape that is only partly in it counts in full.
    func original(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > 0, end < bytes.count, origins[end] == origins[end - 1] { end += 1 }
        return origins[range.lowerBound]..<origins[end]
    }

    private init(percentEncoded text: Span<UInt8>, plusIsSpace: Bool) {
        reserve(text.count)
        var index = 0
        while index < text.count {
            origins.append(index)
            if text[index] == 0x25, index + 2 < text.count,
                let high = ASCII.hexValue(text[index + 1]), let low = ASCII.hexValue(text[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index] == 0x2B && plusIsSpace ? 0x20 : text[index])
                index += 1
            }
        }
        origins.append(text.count)
    }

    private init(escaped text: Span<UInt8>) {
        reserve(text.count)
        var index = 0
        while index < text.count {
            guard text[index] == 0x5C, index + 1 < text.count else {
                origins.append(index)
                bytes.append(text[index])
                index += 1
                continue
            }
            let start = index
            if text[index + 1] == 0x75, let unit = Self.unit(text, at: &index) {
                UTF8Sequence.append(unit, to: &bytes)
            } else {
                bytes.append(Self.plain(text[index + 1]))
                index += 2
            }
            while origins.count < bytes.count { origins.append(start) }
        }
        origins.append(text.count)
    }

    private mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(count)
        origins.reserveCapacity(count + 1)
    }

    /// Code point of the `\uXXXX` (or pair of them) at `index`, which moves behind it; `nil` leaves it.
    private static func unit(_ text: Span<UInt8>, at index: inout Int) -> UInt32? {
        guard let first = half(text, index) else { return nil }
        index += 6
        if first & 0xFC00 == 0xD800, let second = half(text, index), second & 0xFC00 == 0xDC00 {
            index += 6
            return 0x10000 + ((first & 0x3FF) << 10 | second & 0x3FF)
        }
        return first
    }

    private static func half(_ text: Span<UInt8>, _ index: Int) -> UInt32? {
        guard index + 6 <= text.count, text[index] == 0x5C, text[index + 1] == 0x75 else { return nil }
        var unit: UInt32 = 0
        for offset in 2..<6 {
            guard let digit = ASCII.hexValue(text[index + offset]) else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    private static func plain(_ letter: UInt8) -> UInt8 {
        switch letter {
        case 0x62: return 0x08
        case 0x66: return 0x0C
        case 0x6E: return 0x0A
        case 0x72: return 0x0D
        case 0x74: return 0x09
        default: return letter
        }
    }
}
