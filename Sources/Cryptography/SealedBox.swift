import Bytes

/// Bytes at rest that only the holder of a key can read, and that nobody else can change unseen: AES-256-GCM.
///
/// Each box is sealed under a key of its own: HKDF-SHA-256 (RFC 5869) makes it from the holder's key and a random salt,
/// together with the nonce, so that no nonce can repeat under one key however often a box is written.
///
///     magic 8 | salt 32 | check of the key 8 | check of the context 8 | ciphertext | tag 16
///
/// The two checks are keyed and tell why a box does not open; they give nobody without the key anything to guess against
/// that the tag would not. HKDF does not stretch a weak key: the key must be random (16 bytes or more).
package enum SealedBox {
    /// Why a box stays closed.
    package enum Fault: Error, Sendable, Equatable {
        /// Not made here, or cut short.
        case notABox
        case wrongKey
        /// The right key, but sealed for something else.
        case otherContext
        /// Changed after it was sealed.
        case changed
    }

    private static let cipher = CipherAlgorithm(.aes, .authenticated)
    /// What every box begins with.
    package static let magic = Array("CSBOX\r\n\u{1}".utf8)
    private static let saltCount = 32
    private static let checkCount = 8
    private static let tagCount = 16
    private static var headCount: Int { magic.count + saltCount + 2 * checkCount }

    /// - Parameter context: What the box is for; the same must be named to open it. It is not part of the box.
    package static func seal(_ plain: [UInt8], key: Secret, context: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let salt = SecureRandom.bytes(saltCount)
        let keys = Keys(key, salt: salt)
        let head = magic + salt + keys.check + keys.check(of: context)
        let bound = head + context
        let sealed = try Cipher.encrypt(
            cipher, key: keys.cipher.span, vector: keys.nonce.span, plain.span, associated: bound.span)
        return head + sealed
    }

    package static func open(_ box: [UInt8], key: Secret, context: [UInt8]) throws(Fault) -> [UInt8] {
        guard box.count >= headCount + tagCount, box.starts(with: magic) else { throw .notABox }
        let salt = Array(box[magic.count..<magic.count + saltCount])
        let keys = Keys(key, salt: salt)
        let checks = magic.count + saltCount
        guard isEqual(Array(box[checks..<checks + checkCount]), keys.check) else { throw .wrongKey }
        guard isEqual(Array(box[checks + checkCount..<headCount]), keys.check(of: context)) else {
            throw .otherContext
        }
        let bound = Array(box[..<headCount]) + context
        let sealed = Array(box[headCount...])
        do throws(CryptographyError) {
            return try Cipher.decrypt(
                cipher, key: keys.cipher.span, vector: keys.nonce.span, sealed.span, associated: bound.span)
        } catch {
            throw .changed
        }
    }

    private static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool { ConstantTime.equal(one.span, other.span) }

    /// What one box needs, all from one key and one salt.
    private struct Keys {
        let cipher: [UInt8]
        let nonce: [UInt8]
        let check: [UInt8]
        private let mac: [UInt8]

        init(_ key: Secret, salt: [UInt8]) {
            let info = Array("countersign sealed box 1".utf8)
            // 84 bytes are below HKDF's bound, so there is a result.
            let bytes =
                key.withBytes { KeyDerivation.hkdf(.sha256, key: $0, salt: salt.span, info: info, count: 84) } ?? []
            cipher = Array(bytes[..<32])
            nonce = Array(bytes[32..<44])
            check = Array(bytes[44..<52])
            mac = Array(bytes[52...])
        }

        func check(of context: [UInt8]) -> [UInt8] {
            Array(HMAC.authenticate(.sha256, key: mac.span, message: context.span).prefix(checkCount))
        }
    }
}
