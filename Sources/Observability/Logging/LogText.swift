import Bytes

/// Text of unknown origin on its way into a log line.
enum LogText {
    /// Cuts after at most `limit` bytes, at a character's border, and marks the cut with an ellipsis. Only ever after
    /// redaction: a secret cut in half would not be recognised.
    static func clipped(_ text: ArraySlice<UInt8>, to limit: Int) -> ArraySlice<UInt8> {
        guard text.count > limit else { return text }
        var end = text.startIndex + limit
        var steps = 0
        while end > text.startIndex, steps < 3, text[end] & 0xC0 == 0x80 {
            end -= 1
            steps += 1
        }
        return text[..<end] + [0xE2, 0x80, 0xA6]
    }
}
