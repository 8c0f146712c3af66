import Cryptography
import Expressions

/// The ECDSA key of Signature Version 4a: a number derived from the secret by the counter mode of NIST SP 800-108, so that
/// nobody has to be handed one.
enum AWSAsymmetricKey {
    static let algorithm = Array("AWS4-ECDSA-P256-SHA256".utf8)
    /// The order of P-256 less two: a candidate must not be greater.
    private static let most: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6,
        0xFA,
        0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x4F,
    ]

    /// Error: no key among 254 candidates, which is less likely than a failing machine.
    static func key(secret: [UInt8], accessKey: [UInt8]) throws(EvaluationError) -> PrivateKey {
        let number = try number(secret: secret, accessKey: accessKey)
        let document: [UInt8]
        do throws(CryptographyError) {
            document = try PrivateKey.document(.p256, d: number)
        } catch {
            throw EvaluationError(.failed, error.description)
        }
        // Reading a key costs more than signing with it: the cache knows it by its digest.
        return try KeyCache.shared.privateKey(document[...])
    }

    /// 32 bytes, big endian.
    static func number(secret: [UInt8], accessKey: [UInt8]) throws(EvaluationError) -> [UInt8] {
        let input = Array("AWS4A".utf8) + secret
        for counter in UInt8(1)..<255 {
            // Block 1, label, separator, context, length of the result in bits.
            let fixed = [0, 0, 0, 1] + algorithm + [0] + accessKey + [counter] + [0, 0, 1, 0]
            var candidate = HMAC.authenticate(.sha256, key: input.span, message: fixed.span)
            guard !most.lexicographicallyPrecedes(candidate) else { continue }
            // One more, so that it is not zero.
            for index in candidate.indices.reversed() {
                candidate[index] &+= 1
                if candidate[index] != 0 { break }
            }
            return candidate
        }
        throw EvaluationError(.failed, "no key can be derived of the secret")
    }
}
