import Bytes
import Cryptography

/// RFC 4226 and RFC 6238.
enum OneTimePassword {
    /// Bytes as they are; text is base 32 (RFC 4648 6) as providers show it: any case, blanks, dashes and padding.
    static func key(_ value: Value) throws(EvaluationError) -> [UInt8] {
        if case .bytes(let raw) = value.resolved { return Array(raw) }
        let text = try value.requireString()
        guard let key = Base32.decode(text), !key.isEmpty else {
            throw .argument("base 32: letters, and the digits 2 to 7")
        }
        return key
    }

    /// RFC 4226 5.3: four bytes at an offset that the last nibble names, modulo a power of ten.
    static func code(_ key: [UInt8], counter: UInt64, digits: Int, _ algorithm: DigestAlgorithm) -> [UInt8] {
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> UInt64(56 - 8 * $0)) }
        let mac = HMAC.authenticate(algorithm, key: key.span, message: message.span)
        let offset = Int((mac.last ?? 0) & 0x0F)
        var number: UInt64 = 0
        for index in 0..<4 { number = number << 8 | UInt64(mac[offset + index]) }
        number &= 0x7FFF_FFFF
        var text: [UInt8] = []
        for _ in 0..<digits {
            text.append(0x30 + UInt8(number % 10))
            number /= 10
        }
        return text.reversed()
    }
}
