import Bytes

/// The parts of a text that hold no other. By value, so that the scanner's loop keeps its variables in registers. What is
/// seldom or long is never inlined: with such bodies inside, Swift 6.3 no longer inlines `leaf`, for 25 % more instructions.
extension JSONScanner {
    /// What a token says, and one past its last byte; or what is wrong, and where.
    struct Token {
        var end: UInt32
        var kind: JSONKind
        var flags: UInt8
        var fault: JSONError.Kind?

        init(_ kind: JSONKind, flags: UInt8 = 0, to end: UInt32) {
            (self.end, self.kind, self.flags) = (end, kind, flags)
        }

        init(_ fault: JSONError.Kind, at offset: UInt32) {
            (end, kind, flags, self.fault) = (offset, .null, 0, fault)
        }
    }

    private static let trueWord: [UInt8] = [0x74, 0x72, 0x75, 0x65]
    private static let falseWord: [UInt8] = [0x66, 0x61, 0x6C, 0x73, 0x65]
    private static let nullWord: [UInt8] = [0x6E, 0x75, 0x6C, 0x6C]

    /// The next byte that is no blank, at which `position` then stands; 0, which no rule allows, when there is none.
    @inline(__always)
    static func next(_ bytes: Span<UInt8>, _ position: inout UInt32) -> UInt8 {
        if Int(position) < bytes.count, bytes[Int(position)] > 0x20 { return bytes[Int(position)] }
        position = skipBlanks(bytes, position)
        return Int(position) < bytes.count ? bytes[Int(position)] : 0
    }

    /// Steps over this byte and the blanks before it, if it is the next one.
    @inline(__always)
    static func pass(_ byte: UInt8, _ bytes: Span<UInt8>, _ position: inout UInt32) -> Bool {
        if Int(position) >= bytes.count || bytes[Int(position)] != byte {
            guard next(bytes, &position) == byte else { return false }
        }
        position &+= 1
        return true
    }

    @inline(never)
    static func skipBlanks(_ bytes: Span<UInt8>, _ position: UInt32) -> UInt32 {
        // One, behind a colon or comma, is most usual.
        if Int(position) &+ 1 < bytes.count, bytes[Int(position)] == 0x20, bytes[Int(position) &+ 1] > 0x20 {
            return position &+ 1
        }
        var index = position
        while Int(index) < bytes.count {
            switch bytes[Int(index)] {
            case 0x20 where Int(index) &+ 8 <= bytes.count:
                // A run of them, as in an indented text: what differs from a blank first ends it.
                let difference = ByteWord.load(bytes, at: Int(index)) ^ 0x2020_2020_2020_2020
                index &+= UInt32(truncatingIfNeeded: difference.trailingZeroBitCount &>> 3)
            case 0x20, 0x0A, 0x0D, 0x09: index &+= 1
            default: return index
            }
        }
        return index
    }

    /// A key and its colon.
    @inline(__always)
    static func key(
        _ bytes: Span<UInt8>, _ position: inout UInt32, _ node: inout JSONNode, next: UInt32
    ) -> JSONError.Kind? {
        guard pass(0x22, bytes, &position) else { return .unexpectedByte }
        let key = string(bytes, &position, &node, next: next, after: 0x3A)
        if key.hasPassed || key.fault != nil { return key.fault }
        return pass(0x3A, bytes, &position) ? nil : .unexpectedByte
    }

    /// A value that is no container and begins with `byte`, and maybe the comma after it.
    @inline(__always)
    static func leaf(
        _ bytes: Span<UInt8>, _ byte: UInt8, _ position: inout UInt32, _ node: inout JSONNode, next: UInt32
    ) -> (hasPassed: Bool, fault: JSONError.Kind?) {
        if byte == 0x22 {
            position &+= 1
            return string(bytes, &position, &node, next: next, after: 0x2C)
        }
        if byte &- 0x31 < 9 {
            // Most numbers are whole and have few digits.
            let end = skipDigits(bytes, position &+ 1)
            let stop = Int(end) < bytes.count ? bytes[Int(end)] : 0
            if stop != 0x2E, stop | 0x20 != 0x65 {
                node.begin(.number, at: position, next: next)
                (node.end, node.flags) = (end, JSONNode.integral)
                position = end
                return (false, nil)
            }
        }
        let isNumber = byte == 0x2D || ASCII.isDigit(byte)
        let token = isNumber ? number(bytes, from: position) : name(bytes, byte, from: position)
        node.begin(token.kind, at: position, next: next)
        (node.end, node.flags) = (token.end, token.flags)
        position = token.end
        return (false, token.fault)
    }

    /// Steps over a string or key, of which the opening quote is done, and over the byte `after` it if that follows at
    /// once. Plain ones, which are half of an answer's nodes, need no call, and one look at both bytes.
    @inline(__always)
    static func string(
        _ bytes: Span<UInt8>, _ position: inout UInt32, _ node: inout JSONNode, next: UInt32, after: UInt8
    ) -> (hasPassed: Bool, fault: JSONError.Kind?) {
        node.begin(.string, at: position &- 1, next: next)
        let end = plainEnd(bytes, from: position)
        if Int(end) &+ 1 < bytes.count {
            let pair = UInt16(bytes[Int(end)]) | UInt16(bytes[Int(end) &+ 1]) << 8
            if pair == UInt16(after) << 8 | 0x22 {
                node.end = end &+ 1
                position = end &+ 2
                return (true, nil)
            }
        }
        let rest = restOfString(bytes, from: end)
        position = rest.end
        node.end = rest.end
        node.flags = rest.flags
        return (false, rest.fault)
    }

    @inline(__always)
    private static func plainEnd(_ bytes: Span<UInt8>, from start: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: JSONText.plainEnd(bytes, from: Int(start), stopsAtDelete: false))
    }

    /// The rest of one, from the first byte on that is not plain.
    @inline(never)
    private static func restOfString(_ bytes: Span<UInt8>, from first: UInt32) -> Token {
        var index = first
        var flags: UInt8 = 0
        while Int(index) < bytes.count {
            let byte = bytes[Int(index)]
            if byte == 0x22 { return Token(.string, flags: flags, to: index &+ 1) }
            if byte >= 0x80 {
                // Such characters seldom come alone.
                repeat {
                    let length = UTF8Sequence.length(bytes, at: Int(index))
                    guard length > 0 else { return Token(.invalidUTF8, at: index) }
                    index &+= UInt32(truncatingIfNeeded: length)
                } while Int(index) < bytes.count && bytes[Int(index)] >= 0x80
            } else {
                guard byte == 0x5C else { return Token(.controlInString, at: index) }
                let escape = escape(bytes, at: index)
                if escape.fault != nil { return escape }
                index = escape.end
                flags |= escape.flags
            }
            index = plainEnd(bytes, from: index)
        }
        return Token(.unexpectedEnd, at: index)
    }

    /// The escape that begins at the backslash, as if it were a string of its own; both halves of a pair.
    private static func escape(_ bytes: Span<UInt8>, at start: UInt32) -> Token {
        let index = Int(start)
        guard index + 1 < bytes.count else { return Token(.unexpectedEnd, at: start &+ 1) }
        switch bytes[index + 1] {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74:
            return Token(.string, flags: JSONNode.escaped, to: start &+ 2)
        case 0x75: break
        default: return Token(.invalidEscape, at: start)
        }
        guard let unit = JSONEscape.unit(bytes, at: index) else {
            // A text that stops here may still be the start of a valid one; the difference helps who reads the error.
            return Token(index + 6 > bytes.count ? .unexpectedEnd : .invalidEscape, at: start)
        }
        guard unit & 0xF800 == 0xD800 else { return Token(.string, flags: JSONNode.escaped, to: start &+ 6) }
        if unit < 0xDC00, let low = JSONEscape.unit(bytes, at: index + 6), low & 0xFC00 == 0xDC00 {
            return Token(.string, flags: JSONNode.escaped, to: start &+ 12)
        }
        return Token(.string, flags: JSONNode.escaped | JSONNode.loneSurrogate, to: start &+ 6)
    }

    /// A literal name, of which `byte` is the first.
    @inline(never)
    private static func name(_ bytes: Span<UInt8>, _ byte: UInt8, from start: UInt32) -> Token {
        switch byte {
        case 0x74: word(bytes, trueWord, from: start, .bool, JSONNode.isTrue)
        case 0x66: word(bytes, falseWord, from: start, .bool, 0)
        case 0x6E: word(bytes, nullWord, from: start, .null, 0)
        default: Token(.unexpectedByte, at: start)
        }
    }

    /// A number of any kind; the value stays text until somebody asks.
    @inline(never)
    private static func number(_ bytes: Span<UInt8>, from start: UInt32) -> Token {
        var index = start
        if bytes[Int(index)] == 0x2D { index &+= 1 }
        let digits = index
        index = skipDigits(bytes, index)
        guard index > digits else { return Token(.invalidNumber, at: index) }
        // RFC 8259 6: no leading zeros; `01` is the number 0 and a stray byte.
        if index > digits &+ 1, bytes[Int(digits)] == 0x30 { return Token(.invalidNumber, at: digits &+ 1) }
        let stop = Int(index) < bytes.count ? bytes[Int(index)] : 0
        guard stop == 0x2E || stop | 0x20 == 0x65 else { return Token(.number, flags: JSONNode.integral, to: index) }
        if stop == 0x2E {
            let fraction = index &+ 1
            index = skipDigits(bytes, fraction)
            guard index > fraction else { return Token(.invalidNumber, at: fraction) }
        }
        if Int(index) < bytes.count, bytes[Int(index)] | 0x20 == 0x65 {
            index &+= 1
            if Int(index) < bytes.count, bytes[Int(index)] == 0x2B || bytes[Int(index)] == 0x2D { index &+= 1 }
            let exponent = index
            index = skipDigits(bytes, exponent)
            guard index > exponent else { return Token(.invalidNumber, at: exponent) }
        }
        return Token(.number, to: index)
    }

    @inline(__always)
    private static func skipDigits(_ bytes: Span<UInt8>, _ from: UInt32) -> UInt32 {
        var index = from
        while Int(index) < bytes.count, bytes[Int(index)] &- 0x30 < 10 { index &+= 1 }
        return index
    }

    /// Where the text differs from the name, the fault.
    private static func word(
        _ bytes: Span<UInt8>, _ text: [UInt8], from start: UInt32, _ kind: JSONKind, _ flags: UInt8
    ) -> Token {
        var index = start
        for byte in text {
            guard Int(index) < bytes.count, bytes[Int(index)] == byte else { return Token(.unexpectedByte, at: index) }
            index &+= 1
        }
        return Token(kind, flags: flags, to: index)
    }
}
