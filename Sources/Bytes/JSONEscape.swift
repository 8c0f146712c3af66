/// What stands behind a backslash in a string of JSON.
package enum JSONEscape {
    /// The code unit of `\uXXXX` whose backslash is at `index`; `nil` when there is none.
    package static func unit(_ bytes: Span<UInt8>, at index: Int) -> UInt32? {
        guard index + 6 <= bytes.count, bytes[index] == 0x5C, bytes[index + 1] == 0x75 else { return nil }
        var unit: UInt32 = 0
        for offset in 2..<6 {
            guard let digit = ASCII.hexValue(bytes[index + offset]) else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// Code point of the `\uXXXX` (or pair of them) at `index`, which moves behind it; `nil` leaves it. Half of a pair alone
    /// is what it is.
    package static func scalar(_ bytes: Span<UInt8>, at index: inout Int) -> UInt32? {
        guard let first = unit(bytes, at: index) else { return nil }
        index += 6
        if first & 0xFC00 == 0xD800, let second = unit(bytes, at: index), second & 0xFC00 == 0xDC00 {
            index += 6
            return 0x10000 + ((first & 0x3FF) << 10 | second & 0x3FF)
        }
        return first
    }

    /// What any other letter stands for: a control character, or itself.
    package static func simple(_ letter: UInt8) -> UInt8 {
        switch letter {
        case 0x62: return 0x08
        case 0x66: return 0x0C
        case 0x6E: return 0x0A
        case 0x72: return 0x0D
        case 0x74: return 0x09
        default: return letter
        }
    }
}
