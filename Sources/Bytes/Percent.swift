/// Percent-encoding and form-encoding (RFC 3986 2.1, WHATWG application/x-www-form-urlencoded).
package enum Percent {
    /// Decodes `%XX`; with `plusIsSpace` also `+`. A broken escape stays as it is: PHP, nginx and browsers do the same,
    /// and a target with one never gets this far (HTTPWire refuses it).
    package static func decode(_ bytes: Span<UInt8>, plusIsSpace: Bool, into output: inout [UInt8]) {
        var index = 0
        while index < bytes.count {
            // Most bytes stand for themselves: whole runs are copied at once.
            let run = index
            while index < bytes.count, bytes[index] != 0x25, bytes[index] != 0x2B || !plusIsSpace { index &+= 1 }
            if index > run { output.append(copying: bytes.extracting(run..<index)) }
            guard index < bytes.count else { break }
            let byte = bytes[index]
            if byte == 0x25, index + 2 < bytes.count,
                let high = ASCII.hexValue(bytes[index + 1]), let low = ASCII.hexValue(bytes[index + 2])
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(byte == 0x2B && plusIsSpace ? 0x20 : byte)
                index += 1
            }
        }
    }

    /// RFC 3986 unreserved stay, everything else becomes `%XX` with upper-case digits.
    package static func encode(
        _ bytes: Span<UInt8>, keepingSlash: Bool = false, spaceIsPlus: Bool = false, into output: inout [UInt8]
    ) {
        var index = 0
        while index < bytes.count {
            let run = index
            while index < bytes.count, isUnreserved(bytes[index]) || (keepingSlash && bytes[index] == 0x2F) {
                index &+= 1
            }
            if index > run { output.append(copying: bytes.extracting(run..<index)) }
            guard index < bytes.count else { break }
            let byte = bytes[index]
            index += 1
            if byte == 0x20, spaceIsPlus {
                output.append(0x2B)
            } else {
                output.append(0x25)
                output.append(Hex.upperDigit(byte >> 4))
                output.append(Hex.upperDigit(byte & 15))
            }
        }
    }

    /// For a path: what RFC 3986 3.3 allows there stays (also `/` and escapes that are whole), the rest becomes `%XX`.
    package static func encodePath(_ bytes: Span<UInt8>, into output: inout [UInt8]) {
        var run = 0
        for index in bytes.indices where !isPathByte(bytes[index]) && !isEscape(bytes, at: index) {
            output.append(copying: bytes.extracting(run..<index))
            run = index + 1
            output.append(0x25)
            output.append(Hex.upperDigit(bytes[index] >> 4))
            output.append(Hex.upperDigit(bytes[index] & 15))
        }
        output.append(copying: bytes.extracting(run..<bytes.count))
    }

    private static func isEscape(_ bytes: Span<UInt8>, at index: Int) -> Bool {
        bytes[index] == 0x25 && index + 2 < bytes.count && ASCII.hexValue(bytes[index + 1]) != nil
            && ASCII.hexValue(bytes[index + 2]) != nil
    }

    /// For one segment of a path: as `encodePath`, with `/`, `%` and `;` escaped too. The text is data, not path: it can
    /// neither end the segment, nor be an escape, nor begin a parameter (RFC 3986 3.3).
    package static func encodeSegment(_ bytes: Span<UInt8>, into output: inout [UInt8]) {
        for index in bytes.indices {
            let byte = bytes[index]
            if isPathByte(byte), byte != 0x2F, byte != 0x3B {
                output.append(byte)
            } else {
                output.append(0x25)
                output.append(Hex.upperDigit(byte >> 4))
                output.append(Hex.upperDigit(byte & 15))
            }
        }
    }

    /// `pchar` and `/`.
    private static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x24, 0x26...0x2C, 0x2F, 0x3A, 0x3B, 0x3D, 0x40: true
        default: isUnreserved(byte)
        }
    }

    package static func isUnreserved(_ byte: UInt8) -> Bool {
        ASCII.isAlpha(byte) || ASCII.isDigit(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x7E
    }

    /// Splits `a=1&b=2`, decoding both sides. Empty pieces (`&&`) are skipped; a piece without `=` has an empty value.
    package static func pairs(_ bytes: Span<UInt8>, plusIsSpace: Bool = true) -> PairBlock {
        var decoded: [UInt8] = []
        var entries: [PairBlock.Entry] = []
        decoded.append(copying: bytes)
        entries.reserveCapacity(12)
        // In place: a text never grows, and one without escapes stays where it is. `=` and `&` are left between the parts.
        var text = decoded.mutableSpan
        var (index, end) = (0, 0)
        var (nameStart, valueStart) = (0, -1)
        while true {
            // Most bytes stand for themselves.
            while index < text.count {
                let byte = text[index]
                guard isPlain(byte) else { break }
                text[end] = byte
                index &+= 1
                end &+= 1
            }
            let byte = index < text.count ? text[index] : 0x26
            index &+= 1
            if byte == 0x26 {
                if end > nameStart {
                    let nameCount = (valueStart < 0 ? end : valueStart &- 1) &- nameStart
                    let start = valueStart < 0 ? end : valueStart
                    entries.append(
                        PairBlock.Entry(
                            nameStart: nameStart, nameCount: nameCount, valueStart: start, valueCount: end &- start))
                }
                if index > text.count { break }
                (nameStart, valueStart) = (end &+ 1, -1)
            } else if byte == 0x3D, valueStart < 0 {
                valueStart = end &+ 1
            }
            var plain = byte == 0x2B && plusIsSpace ? 0x20 : byte
            if byte == 0x25, index &+ 1 < text.count, let high = ASCII.hexValue(text[index]),
                let low = ASCII.hexValue(text[index &+ 1])
            {
                plain = high << 4 | low
                index &+= 2
            }
            text[end] = plain
            end &+= 1
        }
        return PairBlock(bytes: decoded, entries: entries)
    }

    /// Neither `%`, `&`, `+` nor `=`: what a form or a query has most.
    private static func isPlain(_ byte: UInt8) -> Bool { byte > 0x3D || byte > 0x26 && byte < 0x3D && byte != 0x2B }
}
