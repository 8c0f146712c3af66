/// Well-formed UTF-8 (RFC 3629, Unicode table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF.
package enum UTF8Sequence {
    /// Length (1...4) of the well-formed sequence that begins at `index`, or 0 where none begins.
    package static func length(_ bytes: Span<UInt8>, at index: Int) -> Int {
        guard index >= 0, index < bytes.count else { return 0 }
        let lead = bytes[index]
        if lead < 0x80 { return 1 }
        let rest = bytes.count - index
        if lead < 0xE0 {
            return lead >= 0xC2 && rest > 1 && isTail(bytes[index + 1]) ? 2 : 0
        }
        if lead < 0xF0 {
            guard rest > 2, isTail(bytes[index + 1]), isTail(bytes[index + 2]) else { return 0 }
            if lead == 0xE0 { return bytes[index + 1] >= 0xA0 ? 3 : 0 }
            if lead == 0xED { return bytes[index + 1] < 0xA0 ? 3 : 0 }
            return 3
        }
        guard lead < 0xF5, rest > 3, isTail(bytes[index + 1]), isTail(bytes[index + 2]), isTail(bytes[index + 3])
        else { return 0 }
        if lead == 0xF0 { return bytes[index + 1] >= 0x90 ? 4 : 0 }
        if lead == 0xF4 { return bytes[index + 1] < 0x90 ? 4 : 0 }
        return 4
    }

    /// Code point of the sequence of `length` bytes (as `length(_:at:)` told) at `index`.
    package static func scalar(_ bytes: Span<UInt8>, at index: Int, length: Int) -> UInt32 {
        switch length {
        case 2: return (UInt32(bytes[index]) & 0x1F) << 6 | tail(bytes[index + 1])
        case 3:
            return (UInt32(bytes[index]) & 0x0F) << 12 | tail(bytes[index + 1]) << 6 | tail(bytes[index + 2])
        case 4:
            return (UInt32(bytes[index]) & 0x07) << 18 | tail(bytes[index + 1]) << 12 | tail(bytes[index + 2]) << 6
                | tail(bytes[index + 3])
        default: return UInt32(bytes[index])
        }
    }

    /// Appends a code point; a surrogate or a value above U+10FFFF becomes U+FFFD.
    package static func append(_ scalar: UInt32, to output: inout [UInt8]) {
        let code = scalar > 0x10FFFF || scalar & 0xFFFF_F800 == 0xD800 ? 0xFFFD : scalar
        if code < 0x80 {
            output.append(UInt8(truncatingIfNeeded: code))
        } else if code < 0x800 {
            output.append(0xC0 | UInt8(truncatingIfNeeded: code >> 6))
            output.append(trail(code))
        } else if code < 0x10000 {
            output.append(0xE0 | UInt8(truncatingIfNeeded: code >> 12))
            output.append(trail(code >> 6))
            output.append(trail(code))
        } else {
            output.append(0xF0 | UInt8(truncatingIfNeeded: code >> 18))
            output.append(trail(code >> 12))
            output.append(trail(code >> 6))
            output.append(trail(code))
        }
    }

    /// Whether the whole span is well-formed.
    package static func isValid(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            let step = length(bytes, at: index)
            if step == 0 { return false }
            index += step
        }
        return true
    }

    private static func isTail(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
    private static func tail(_ byte: UInt8) -> UInt32 { UInt32(byte) & 0x3F }
    private static func trail(_ code: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: code) & 0x3F }
}
