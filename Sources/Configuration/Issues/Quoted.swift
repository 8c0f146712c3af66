/// Text from a config file as it may appear in a message: a terminal shows the message, so nothing in it may move the
/// cursor or reorder the line.
enum Quoted {
    /// Longest piece that is repeated in a message, in characters.
    static let limit = 64

    /// `"text"`, shortened, without control and bidirectional characters.
    static func text(_ text: String) -> String { "\"" + plain(text, limit: limit) + "\"" }

    /// The text without control and bidirectional characters.
    static func plain(_ text: String, limit: Int = 1024) -> String {
        var output = String.UnicodeScalarView()
        for (index, scalar) in text.unicodeScalars.enumerated() {
            if index == limit {
                output.append("…")
                break
            }
            output.append(isHarmless(scalar) ? scalar : "\u{FFFD}")
        }
        return String(output)
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: false
        // Bidirectional marks, embeddings, overrides and isolates, line and paragraph separators: "Trojan Source".
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: false
        default: true
        }
    }
}
