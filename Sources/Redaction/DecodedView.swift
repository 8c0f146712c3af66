import Bytes
import XMLBytes

/// A text as a decoder would read it, with the way back to the original bytes. Looking for a plain secret in here finds
/// every way of writing it, which a list of encoded patterns cannot.
struct DecodedView {
    /// Decodings within decodings end here: enough for three layers of any kind, and what a hostile text makes of them all
    /// stays linear.
    private static let most = 16
    /// `&#x10FFFF;` without its ends is the longest reference there is; zeros in front are for nobody.
    private static let longestReference = 10

    private(set) var bytes: [UInt8] = []
    /// Where in the original each byte begins; the last entry is the original's count.
    private var origins: [Int] = []

    /// The decodings that apply to this text, and to what they make of it (`%252F`, percent-encoding within JSON):
    /// percent-encoding (also with `+` for the blank), JSON escapes, references of XML.
    static func all(of text: Span<UInt8>) -> [DecodedView] {
        var views = layer(of: text)
        var index = 0
        while index < views.count, views.count < most {
            let outer = views[index]
            views += layer(of: outer.bytes.span).map { inner in
                var view = inner
                view.origins = inner.origins.map { outer.origins[$0] }
                return view
            }
            index += 1
        }
        return views
    }

    private static func layer(of text: Span<UInt8>) -> [DecodedView] {
        var (hasPercent, hasPlus, hasBackslash, hasReference) = (false, false, false, false)
        for index in text.indices {
            let byte = text[index]
            if byte > 0x5C || byte &- 0x2C < 0x30 { continue }
            switch byte {
            case 0x25: hasPercent = hasPercent || escape(text, index) != nil
            case 0x26: hasReference = hasReference || reference(text, index) != nil
            case 0x2B: hasPlus = true
            case 0x5C: hasBackslash = true
            default: break
            }
        }
        var views: [DecodedView] = []
        if hasPercent { views.append(DecodedView(percentEncoded: text, plusIsSpace: false)) }
        if hasPlus { views.append(DecodedView(percentEncoded: text, plusIsSpace: true)) }
        if hasBackslash { views.append(DecodedView(escaped: text)) }
        if hasReference { views.append(DecodedView(references: text)) }
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
            if text[index] == 0x25, let byte = Self.escape(text, index) {
                bytes.append(byte)
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
            if text[index + 1] == 0x75, let unit = JSONEscape.scalar(text, at: &index) {
                UTF8Sequence.append(unit, to: &bytes)
            } else {
                bytes.append(JSONEscape.simple(text[index + 1]))
                index += 2
            }
            while origins.count < bytes.count { origins.append(start) }
        }
        origins.append(text.count)
    }

    private init(references text: Span<UInt8>) {
        reserve(text.count)
        var index = 0
        while index < text.count {
            let start = index
            if text[index] == 0x26, let (character, end) = Self.reference(text, index) {
                bytes += character
                index = end
            } else {
                bytes.append(text[index])
                index += 1
            }
            while origins.count < bytes.count { origins.append(start) }
        }
        origins.append(text.count)
    }

    private mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(count)
        origins.reserveCapacity(count + 1)
    }

    /// What `%41` stands for; `nil` when no escape is there.
    private static func escape(_ text: Span<UInt8>, _ index: Int) -> UInt8? {
        guard index + 2 < text.count, let high = ASCII.hexValue(text[index + 1]),
            let low = ASCII.hexValue(text[index + 2])
        else { return nil }
        return high << 4 | low
    }

    /// What `&amp;`, `&#65;` or `&#x41;` stands for, and where it ends; `nil` when no reference is there.
    private static func reference(_ text: Span<UInt8>, _ index: Int) -> (character: [UInt8], end: Int)? {
        var name: [UInt8] = []
        var end = index + 1
        while end < text.count, name.count <= longestReference {
            if text[end] == 0x3B { return XMLText.character(name[...]).map { ($0, end + 1) } }
            guard ASCII.isAlpha(text[end]) || ASCII.isDigit(text[end]) || text[end] == 0x23 else { return nil }
            name.append(text[end])
            end += 1
        }
        return nil
    }
}
