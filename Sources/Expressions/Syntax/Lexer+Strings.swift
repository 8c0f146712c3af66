import Bytes

extension Lexer {
    /// A string or bytes literal with any prefix (`r`, `b`, `rb`, `br`, either case), or `nil` when none starts here.
    mutating func stringLiteral() throws(ExpressionIssue) -> Token.Kind? {
        var (raw, bytes, ahead) = (false, false, 0)
        while ahead < 2, let byte = peek(ahead) {
            if byte | 0x20 == UInt8(ascii: "r"), !raw {
                raw = true
            } else if byte | 0x20 == UInt8(ascii: "b"), !bytes {
                bytes = true
            } else {
                break
            }
            ahead += 1
        }
        guard let quote = peek(ahead), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let start = position
        position += ahead
        let isTriple = peek(1) == quote && peek(2) == quote
        position += isTriple ? 3 : 1
        var content: [UInt8] = []
        while let byte = peek() {
            if byte == quote, !isTriple || (peek(1) == quote && peek(2) == quote) {
                position += isTriple ? 3 : 1
                return bytes ? .bytes(content) : .string(content)
            }
            if byte == UInt8(ascii: "\\"), !raw {
                try escape(bytes: bytes, into: &content)
            } else {
                guard isTriple || (byte != 0x0A && byte != 0x0D) else { break }
                content.append(byte)
                position += 1
            }
        }
        throw ExpressionIssue("string is not closed", at: start)
    }

    private mutating func escape(bytes: Bool, into content: inout [UInt8]) throws(ExpressionIssue) {
        let start = position
        guard let mark = peek(1) else { throw ExpressionIssue("string is not closed", at: start) }
        position += 2
        switch mark {
        case UInt8(ascii: "a"): content.append(0x07)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "v"): content.append(0x0B)
        case UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
            content.append(mark)
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            append(try code(digits: 2, radix: 16, from: start), bytes: bytes, into: &content)
        case UInt8(ascii: "0")...UInt8(ascii: "3"):
            position -= 1
            append(try code(digits: 3, radix: 8, from: start), bytes: bytes, into: &content)
        case UInt8(ascii: "u") where !bytes, UInt8(ascii: "U") where !bytes:
            let value = try code(digits: mark == UInt8(ascii: "u") ? 4 : 8, radix: 16, from: start)
            guard UnicodeScalar(value) != nil else { throw ExpressionIssue("no such code point", at: start) }
            append(value, bytes: false, into: &content)
        default:
            throw ExpressionIssue("unknown escape", hint: "a backslash is written `\\\\`", at: start)
        }
    }

    private mutating func code(digits: Int, radix: UInt32, from start: Int) throws(ExpressionIssue) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let byte = peek(), let digit = ASCII.hexValue(byte), UInt32(digit) < radix else {
                throw ExpressionIssue("escape is cut short", at: start)
            }
            value = value << (radix == 16 ? 4 : 3) | UInt32(digit)
            position += 1
        }
        return value
    }

    /// In a string `\xFF` is a code point, in bytes it is an octet.
    private func append(_ value: UInt32, bytes: Bool, into content: inout [UInt8]) {
        if bytes {
            content.append(UInt8(truncatingIfNeeded: value))
        } else if let scalar = UnicodeScalar(value) {
            content.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}
