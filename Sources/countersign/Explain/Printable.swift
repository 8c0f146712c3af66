import Bytes

/// Bytes on their way to a terminal: text as it is, controls as escapes, anything that is no UTF-8 as base 16.
enum Printable {
    static func line(_ bytes: [UInt8]) -> String {
        guard isText(bytes) else { return "hex \(String(decoding: Hex.encode(bytes.span), as: UTF8.self))" }
        return escaped(String(decoding: bytes, as: UTF8.self))
    }

    /// Lines, so that a text that is signed line by line can be read; CR LF counts as one line end.
    static func lines(_ bytes: [UInt8]) -> [String] {
        guard isText(bytes) else { return [line(bytes)] }
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        return lines.enumerated().map { index, line in
            let isEnded = index < lines.count - 1
            let text = isEnded && line.last == 0x0D ? line.dropLast() : line
            return escaped(String(decoding: text, as: UTF8.self))
        }
    }

    static func isText(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// A body or a header may hold what moves the cursor or hides what follows.
    private static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            default:
                let isHidden =
                    scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
                if isHidden {
                    output += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    output.unicodeScalars.append(scalar)
                }
            }
        }
        return output
    }
}
