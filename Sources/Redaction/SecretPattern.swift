import Bytes

/// One spelling of a secret to look for.
struct SecretPattern: Equatable {
    let bytes: [UInt8]
    /// Inside base64 the first or last character also holds bits of a neighbour, so its spelling varies: it is no part of
    /// `bytes`, but is hidden with them.
    var startsInside = false
    var endsInside = false

    /// The secret itself, in hexadecimal digits of either case, and in base64 at each of three alignments.
    static func spellings(of secret: [UInt8]) -> [SecretPattern] {
        var all = [SecretPattern(bytes: secret)]
        all.append(SecretPattern(bytes: Hex.encode(secret.span)))
        all.append(SecretPattern(bytes: Hex.encode(secret.span, upper: true)))
        for shift in 0..<3 {
            for isURL in [false, true] { all.append(base64(secret, shift: shift, isURL: isURL)) }
        }
        var unique: [SecretPattern] = []
        for pattern in all where !unique.contains(pattern) { unique.append(pattern) }
        return unique
    }

    /// The characters that depend on the secret alone when `shift` bytes stand before it.
    private static func base64(_ secret: [UInt8], shift: Int, isURL: Bool) -> SecretPattern {
        let first = (shift * 8 + 5) / 6
        let last = (shift + secret.count) * 8 / 6
        let padded = [UInt8](repeating: 0, count: shift) + secret + [0]
        var bytes: [UInt8] = []
        for position in first..<last {
            let bit = position * 6
            let pair = UInt16(padded[bit / 8]) << 8 | UInt16(padded[bit / 8 + 1])
            bytes.append(character(UInt8(truncatingIfNeeded: pair >> UInt16(10 - bit % 8)) & 63, isURL))
        }
        return SecretPattern(
            bytes: bytes, startsInside: shift > 0, endsInside: (shift + secret.count) % 3 != 0)
    }

    private static func character(_ value: UInt8, _ isURL: Bool) -> UInt8 {
        switch value {
        case 0..<26: return 0x41 + value
        case 26..<52: return 0x61 + value - 26
        case 52..<62: return 0x30 + value - 52
        case 62: return isURL ? 0x2D : 0x2B
        default: return isURL ? 0x5F : 0x2F
        }
    }
}
