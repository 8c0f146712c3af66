import Bytes
import Testing

@testable import Cryptography

/// RSA beyond the usual paddings, the other curves, SM2.
@Suite struct MoreKeyTests {
    typealias Vectors = MoreKeyVectors
    private let message = bytes("message digest")

    private func decoded(_ text: String) throws -> [UInt8] {
        let digits = bytes(text)
        let decoded = Hex.decode(digits.span)
        return try #require(decoded)
    }

    private func privateKey(_ text: String) throws -> PrivateKey {
        let text = bytes(text)
        return try PrivateKey(parsing: text.span)
    }

    @Test func rsaSignsWithoutDigest() throws {
        let key = try privateKey(Vectors.rsa)
        #expect(hex(try key.sign(message.span, .rsaRaw)) == Vectors.rsaRawSignature)
        let digest = Digest.hash(.md5, message.span)
        let signature = try key.sign(message.span, .rsaPKCS1(.md5))
        #expect(try key.publicKey.verify(signature.span, over: message.span, .rsaPKCS1(.md5)))
        #expect(try !key.publicKey.verify(signature.span, over: digest.span, .rsaPKCS1(.md5)))
    }

    @Test func rsaFromNumbersEncryptsWithoutPadding() throws {
        let key = try PublicKey(.rsa(modulus: decoded(Vectors.rsaModulus), exponent: [1, 0, 1]))
        let text = bytes("pa55")
        #expect(hex(try key.encrypt(text.span, .rsaRaw)) == Vectors.rsaPower)
        let long = [UInt8](repeating: 1, count: 129)
        #expect(throws: CryptographyError.self) { try key.encrypt(long.span, .rsaRaw) }
    }

    @Test func rsaOAEPWithTwoDigests() throws {
        let key = try privateKey(Vectors.rsa)
        let text = bytes(Vectors.rsaOAEP)
        let decoded = Base64.decode(text.span)
        let cipher = try #require(decoded)
        #expect(try key.decrypt(cipher.span, .rsaOAEP(.sha256, mask: .sha1)) == bytes("pa55"))
        #expect(throws: CryptographyError.self) { try key.decrypt(cipher.span, .rsaOAEP(.sha256, mask: .sha256)) }
    }

    @Test(arguments: [
        (Vectors.p521Private, Vectors.p521Signature, DigestAlgorithm.sha512, KeyKind.p521),
        (Vectors.k1Private, Vectors.k1Signature, .sha256, .secp256k1),
    ])
    func curves(_ text: String, _ signature: String, _ digest: DigestAlgorithm, _ kind: KeyKind) throws {
        let key = try privateKey(text)
        #expect(key.kind == kind)
        let theirs = try decoded(signature)
        #expect(try key.publicKey.verify(theirs.span, over: message.span, .ecdsa(digest, .der)))
        let raw = try key.sign(message.span, .ecdsa(digest, .raw))
        #expect(raw.count == 2 * (try #require(kind.fieldBytes)))
        #expect(try key.publicKey.verify(raw.span, over: message.span, .ecdsa(digest, .raw)))
        let components = try #require(key.publicKey.components)
        #expect(try PublicKey(components).subjectPublicKeyInfo == key.publicKey.subjectPublicKeyInfo)
    }

    @Test func sm2Signs() throws {
        let identity = bytes("1234567812345678")
        let key = try privateKey(Vectors.sm2Private)
        #expect(key.kind == .sm2)
        let text = bytes(Vectors.sm2Public)
        let other = try PublicKey(parsing: text.span)
        #expect(other.subjectPublicKeyInfo == key.publicKey.subjectPublicKeyInfo)
        let theirs = try decoded(Vectors.sm2Signature)
        #expect(try other.verify(theirs.span, over: message.span, .sm2(identity: identity, .der)))
        #expect(try !other.verify(theirs.span, over: message.span, .sm2(identity: bytes("x"), .der)))
        let raw = try key.sign(message.span, .sm2(identity: identity, .raw))
        #expect(raw.count == 64)
        #expect(try other.verify(raw.span, over: message.span, .sm2(identity: identity, .raw)))
        #expect(throws: CryptographyError.self) { try key.sign(message.span, .ecdsa(.sha256, .raw)) }
    }

    @Test func sm2OfTheStandard() throws {
        let point = try decoded(Vectors.standardPoint)
        let key = try PublicKey(.point(.sm2, x: Array(point.prefix(32)), y: Array(point.suffix(32))))
        let signature = try decoded(Vectors.standardSignature)
        let scheme = SignatureScheme.sm2(identity: bytes("1234567812345678"), .raw)
        #expect(try key.verify(signature.span, over: message.span, scheme))
        let document = try PrivateKey.document(.sm2, d: decoded(Vectors.standardNumber))
        let secret = try PrivateKey(parsing: document.span)
        #expect(secret.publicKey.subjectPublicKeyInfo == key.subjectPublicKeyInfo)
        let cipher = try decoded(Vectors.standardCiphertext)
        #expect(try secret.decrypt(cipher.span, .sm2) == bytes("encryption standard"))
        let own = try key.encrypt(message.span, .sm2)
        #expect(own.count == 97 + message.count && own[0] == 0x04)
        #expect(try secret.decrypt(own.span, .sm2) == message)
        let cut = Array(cipher.prefix(90))
        #expect(throws: CryptographyError.self) { try secret.decrypt(cut.span, .sm2) }
    }
}
