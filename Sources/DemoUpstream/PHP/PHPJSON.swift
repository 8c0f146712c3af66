import Bytes

/// Strings as PHP's `json_encode` writes them.
enum PHPJSON {
    /// With quotes. With `escapesUnicode` everything beyond ASCII is `\uXXXX` (lower case, surrogate pairs).
    static func append(string text: Span<UInt8>, escapesUnicode: Bool, to output: inout [UInt8]) {
        output.append(0x22)
        var copy: [UInt8] = []
        copy.append(copying: text)
        // Broken UTF-8 makes PHP answer nothing at all; a replacement character is kinder to whoever looks at the demo.
        for scalar in String(decoding: copy, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C, 0x2F: output.append(contentsOf: [0x5C, UInt8(truncatingIfNeeded: scalar.value)])
            case 0x08: output.append(contentsOf: [0x5C, 0x62])
            case 0x09: output.append(contentsOf: [0x5C, 0x74])
            case 0x0A: output.append(contentsOf: [0x5C, 0x6E])
            case 0x0C: output.append(contentsOf: [0x5C, 0x66])
            case 0x0D: output.append(contentsOf: [0x5C, 0x72])
            case 0..<0x20: appendEscape(UInt16(scalar.value), to: &output)
            case 0x20..<0x80: output.append(UInt8(truncatingIfNeeded: scalar.value))
            default:
                if escapesUnicode {
                    for unit in String(scalar).utf16 { appendEscape(unit, to: &output) }
                } else {
                    output.append(contentsOf: String(scalar).utf8)
                }
            }
        }
        output.append(0x22)
    }

    private static func appendEscape(_ unit: UInt16, to output: inout [UInt8]) {
        output.append(contentsOf: [0x5C, 0x75])
        for shift: UInt16 in [12, 8, 4, 0] {
            output.append(Hex.lowerDigit(UInt8(truncatingIfNeeded: unit >> shift) & 15))
        }
    }
}
