import Bytes
import JSONBytes

/// Strings and numbers as ECMAScript's `JSON.stringify` writes them (RFC 8785 3.2.2), and the order of its names.
enum CanonicalScalar {
    static func append(_ value: Value, to output: inout [UInt8]) throws(EvaluationError) {
        if case .json(let json) = value, json.kind == .number {
            guard let number = json.double else { throw .argument("a number that a double can hold") }
            return try append(number, to: &output)
        }
        if case .json(let json) = value, json.hasLoneSurrogate { throw .argument("text of whole characters") }
        switch value.resolved {
        case .optional(.some(let inner)): try append(inner, to: &output)
        case .int(let number): try append(Double(number), to: &output)
        case .uint(let number): try append(Double(number), to: &output)
        case .double(let number): try append(number, to: &output)
        case .string(let text):
            guard isUnicode(text) else { throw .argument("text of whole characters") }
            output.append(UInt8(ascii: "\""))
            appendEscaped(text, to: &output)
            output.append(UInt8(ascii: "\""))
        default: value.appendJSON(to: &output)
        }
    }

    /// ECMA-262 6.1.6.1.20: the shortest digits that read back as the number; an exponent from 1e21 up and below 1e-6.
    private static func append(_ number: Double, to output: inout [UInt8]) throws(EvaluationError) {
        guard number.isFinite else { throw .argument("a number that a double can hold") }
        if number == 0 { return output.append(UInt8(ascii: "0")) }
        if number < 0 { output.append(UInt8(ascii: "-")) }
        let (digits, exponent) = DecimalText.significant(number.magnitude)
        let point = exponent + 1
        let zero = UInt8(ascii: "0")
        switch point {
        case digits.count...21: output += digits + Array(repeating: zero, count: point - digits.count)
        case 1...21: output += digits[..<point] + [UInt8(ascii: ".")] + digits[point...]
        case -5...0: output += [zero, UInt8(ascii: ".")] + Array(repeating: zero, count: -point) + digits
        default:
            output.append(digits[0])
            if digits.count > 1 { output += [UInt8(ascii: ".")] + digits[1...] }
            output.append(UInt8(ascii: "e"))
            if exponent > 0 { output.append(UInt8(ascii: "+")) }
            output.append(decimal: Int64(exponent))
        }
    }

    /// The content of a string literal, without its quotes.
    static func appendEscaped(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
        let short: [UInt8: Character] = [0x08: "b", 0x09: "t", 0x0A: "n", 0x0C: "f", 0x0D: "r", 0x22: "\"", 0x5C: "\\"]
        for byte in text {
            if let letter = short[byte] {
                output.append(contentsOf: "\\\(letter)".utf8)
            } else if byte < 0x20 {
                output.append(contentsOf: "\\u00".utf8)
                output += Hex.encode([byte].span)
            } else {
                output.append(byte)
            }
        }
    }

    /// By UTF-16 code units (RFC 8785 3.2.3): a character above U+FFFF begins with a surrogate, which sorts before U+E000.
    static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        for (left, right) in zip(a, b) where left != right { return rank(left) < rank(right) }
        return a.count < b.count
    }

    /// The first byte of UTF-8 for U+E000 to U+FFFF goes behind those of four bytes.
    private static func rank(_ byte: UInt8) -> UInt8 { byte == 0xEE || byte == 0xEF ? byte + 0x10 : byte }

    private static func isUnicode(_ text: ArraySlice<UInt8>) -> Bool {
        let span = text.span
        var index = 0
        while index < span.count {
            let length = UTF8Sequence.length(span, at: index)
            guard length > 0 else { return false }
            index += length
        }
        return true
    }
}
