import Bytes

/// Reads libcurl's trace, which is for people: what is not as expected is not there.
enum TraceText {
    /// The decimal number that follows a text; `nil` when the text, or a number behind it, is not there.
    static func number(behind text: StaticString, in bytes: Span<UInt8>) -> UInt64? {
        guard let start = place(of: text, in: bytes) else { return nil }
        var end = start
        while end < bytes.count, ASCII.isDigit(bytes[end]) { end += 1 }
        return ASCII.decimal(bytes.extracting(start..<end))
    }

    static func holds(_ text: StaticString, _ bytes: Span<UInt8>) -> Bool { place(of: text, in: bytes) != nil }

    /// The index behind the first occurrence.
    private static func place(of text: StaticString, in bytes: Span<UInt8>) -> Int? {
        let count = text.utf8CodeUnitCount
        var start = 0
        while start + count <= bytes.count {
            let part = bytes.extracting(start..<start + count)
            if text.withSpan({ ASCII.equal($0, part) }) { return start + count }
            start += 1
        }
        return nil
    }
}
