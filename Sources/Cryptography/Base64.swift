/// Base 64, RFC 4648: both alphabets, strict when decoding.
package enum Base64 {
    package enum Alphabet: Sendable {
        /// `+` and `/`.
        case standard
        /// `-` and `_`.
        case url
    }

    package enum Padding: Sendable {
        /// The text must end in the right number of `=`.
        case required
        /// The text must hold no `=` (JOSE).
        case none
        /// Either of them.
        case optional
    }

    package static func encode(
        _ bytes: Span<UInt8>, alphabet: Alphabet = .standard, padding: Bool = true
    ) -> [UInt8] {
        let (whole, rest) = (bytes.count / 3, bytes.count % 3)
        return [UInt8](capacity: (whole + 1) * 4) { output in
            var index = 0
            for _ in 0..<whole {
                let group =
                    UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
                for shift: UInt32 in [18, 12, 6, 0] { output.append(digit(group &>> shift, alphabet)) }
                index += 3
            }
            guard rest > 0 else { return }
            let group = UInt32(bytes[index]) << 16 | (rest == 2 ? UInt32(bytes[index + 1]) << 8 : 0)
            output.append(digit(group &>> 18, alphabet))
            output.append(digit(group &>> 12, alphabet))
            if rest == 2 { output.append(digit(group &>> 6, alphabet)) }
            if padding { for _ in rest..<3 { output.append(0x3D) } }
        }
    }

    /// `nil` for a byte outside the alphabet (blanks and line ends too), wrong padding, a lone digit at the end, or unused
    /// bits that are not zero (RFC 4648 3.5: two texts must not decode to the same bytes).
    package static func decode(
        _ text: Span<UInt8>, alphabet: Alphabet = .standard, padding: Padding = .required
    ) -> [UInt8]? {
        var count = text.count
        while count > 0, text.count - count < 2, text[count - 1] == 0x3D { count -= 1 }
        let missing = (4 - count % 4) % 4
        let padded = text.count - count
        guard missing < 3 else { return nil }
        switch padding {
        case .required: guard padded == missing else { return nil }
        case .none: guard padded == 0 else { return nil }
        case .optional: guard padded == 0 || padded == missing else { return nil }
        }
        var output: [UInt8] = []
        output.reserveCapacity(count / 4 * 3 + 2)
        var (bits, held): (UInt32, UInt32) = (0, 0)
        for index in 0..<count {
            guard let value = value(text[index], alphabet) else { return nil }
            bits = (bits << 6 | UInt32(value)) & 0xFFFF
            held += 6
            if held >= 8 {
                held -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> held))
            }
        }
        return bits & (1 << held - 1) == 0 ? output : nil
    }

    private static func digit(_ bits: UInt32, _ alphabet: Alphabet) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: bits & 63)
        switch value {
        case 0..<26: return 0x41 + value
        case 26..<52: return 0x61 + value - 26
        case 52..<62: return 0x30 + value - 52
        case 62: return alphabet == .standard ? 0x2B : 0x2D
        default: return alphabet == .standard ? 0x2F : 0x5F
        }
    }

    private static func value(_ byte: UInt8, _ alphabet: Alphabet) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x61 + 26
        case 0x30...0x39: byte - 0x30 + 52
        case 0x2B where alphabet == .standard, 0x2D where alphabet == .url: 62
        case 0x2F where alphabet == .standard, 0x5F where alphabet == .url: 63
        default: nil
        }
    }
}
