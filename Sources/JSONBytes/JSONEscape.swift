import Bytes

/// What stands behind a backslash in a string.
enum JSONEscape {
    /// The code unit of `\uXXXX` whose backslash is at `index`; `nil` when there is none.
    static func unit(_ bytes: Span<UInt8>, at index: Int) -> UInt32? {
        guard index + 6 <= bytes.count, bytes[index] == 0x5C, bytes[index + 1] == 0x75 else { return nil }
        var unit: UInt32 = 0
        for offset in 2..<6 {
            guard let digit = ASCII.hexValue(bytes[index + offset]) else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// Appends the decoded content of a scanned string. A surrogate without partner becomes U+FFFD.
    static func decode(_ bytes: Span<UInt8>, into output: inout [UInt8]) {
        output.reserveCapacity(output.count + bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x5C, index + 1 < bytes.count else {
                output.append(byte)
                index += 1
                continue
            }
            guard bytes[index + 1] == 0x75 else {
                output.append(simple(bytes[index + 1]))
                index += 2
                continue
            }
            guard let unit = unit(bytes, at: index) else {
                // The scanner refuses this; nothing may trap all the same.
                index += 2
                continue
            }
            index += 6
            if unit & 0xFC00 == 0xD800, let low = self.unit(bytes, at: index), low & 0xFC00 == 0xDC00 {
                UTF8Sequence.append(0x10000 + ((unit & 0x3FF) << 10 | low & 0x3FF), to: &output)
                index += 6
            } else {
                UTF8Sequence.append(unit, to: &output)
            }
        }
    }

    private static func simple(_ letter: UInt8) -> UInt8 {
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
