import Bytes
import Testing

@testable import Cryptography

@Suite struct KeyTests {
    typealias Vectors = KeyVectors

    private func privateKey(_ text: String, passphrase: String? = nil) throws -> PrivateKey {
        let secret = passphrase.map { Secret(copying: bytes($0).span) }
        return try PrivateKey(parsing: bytes(text).span, passphrase: secret)
    }
    private func publicKey(_ text: String) throws -> PublicKey { try PublicKey(parsing: bytes(text).span) }
    private func base64(_ text: String) throws -> [UInt8] {
        let decoded = Base64.decode(bytes(text).span)
        return try #require(decoded)
    }

    private func sign(_ key: PrivateKey, _ message: String, _ scheme: SignatureScheme) throws -> [UInt8] {
        try key.sign(bytes(message).span, scheme)
    }

    private func verifies(
        _ key: PublicKey, _ signature: [UInt8], _ message: String, _ scheme: SignatureScheme
    ) throws -> Bool {
        try key.verify(signature.span, over: bytes(message).span, scheme)
    }

    @Test func kinds() throws {
        #expect(try privateKey(Vectors.rsaPrivate).kind == .rsa(bits: 1024))
        #expect(try privateKey(Vectors.pssPrivate).kind == .rsa(bits: 2048))
        #expect(try privateKey(Vectors.p256Private).kind == .p256)
        #expect(try privateKey(Vectors.sec1Private).kind == .p256)
        #expect(try privateKey(Vectors.p384Private).kind == .p384)
        #expect(try privateKey(Vectors.edPrivate).kind == .ed25519)
        #expect(try publicKey(Vectors.certificate).kind == .p256)
        #expect(
            try publicKey(Vectors.certificate).subjectPublicKeyInfo
                == privateKey(Vectors.sec1Private).publicKey.subjectPublicKeyInfo)
    }

    @Test func rsaPKCS1() throws {
        let key = try privateKey(Vectors.rsaPrivate)
        let expected = try base64(Vectors.rsaSignature)
        #expect(try sign(key, Vectors.rsaMessage, .rsaPKCS1(.sha256)) == expected)
        #expect(try verifies(key.publicKey, expected, Vectors.rsaMessage, .rsaPKCS1(.sha256)))
        #expect(try !verifies(key.publicKey, expected, Vectors.rsaMessage + "x", .rsaPKCS1(.sha256)))
        #expect(try !verifies(key.publicKey, expected, Vectors.rsaMessage, .rsaPKCS1(.sha1)))
        #expect(try !verifies(key.publicKey, [], Vectors.rsaMessage, .rsaPKCS1(.sha256)))
    }

    @Test func rsaPSS() throws {
        let key = try publicKey(Vectors.pssPublic)
        #expect(try verifies(key, base64(Vectors.pssSignature), Vectors.pssBase, .rsaPSS(.sha512)))
        let own = try privateKey(Vectors.pssPrivate).sign(bytes("hello").span, .rsaPSS(.sha512))
        #expect(try verifies(key, own, "hello", .rsaPSS(.sha512)))
        #expect(try !verifies(key, own, "hellO", .rsaPSS(.sha512)))
        // PSS is random: the same message gives another signature.
        #expect(try sign(privateKey(Vectors.pssPrivate), "hello", .rsaPSS(.sha512)) != own)
    }

    @Test func ecdsaRaw() throws {
        let key = try publicKey(Vectors.p256Public)
        let signature = try base64(Vectors.p256Signature)
        #expect(try verifies(key, signature, Vectors.p256Base, .ecdsa(.sha256, .raw)))
        #expect(try !verifies(key, signature, Vectors.p256Base + " ", .ecdsa(.sha256, .raw)))
        #expect(try !verifies(key, Array(signature.dropLast()), Vectors.p256Base, .ecdsa(.sha256, .raw)))
        #expect(try !verifies(key, signature, Vectors.p256Base, .ecdsa(.sha256, .der)))
    }

    @Test(arguments: [KeyVectors.p256Private, KeyVectors.p384Private])
    func ecdsaBothForms(text: String) throws {
        let key = try privateKey(text)
        // Often enough that a leading zero byte in r or s occurs: the raw form must be padded.
        for round in 0..<300 {
            let message = "message \(round)"
            let raw = try key.sign(bytes(message).span, .ecdsa(.sha256, .raw))
            #expect(raw.count == (key.kind == .p256 ? 64 : 96))
            #expect(try verifies(key.publicKey, raw, message, .ecdsa(.sha256, .raw)))
        }
        let der = try key.sign(bytes("m").span, .ecdsa(.sha384, .der))
        #expect(der.first == 0x30)
        #expect(try verifies(key.publicKey, der, "m", .ecdsa(.sha384, .der)))
    }

    @Test func ed25519() throws {
        let key = try privateKey(Vectors.edPrivate)
        let expected = try base64(Vectors.edSignature)
        #expect(try sign(key, Vectors.edBase, .ed25519) == expected)
        #expect(try verifies(key.publicKey, expected, Vectors.edBase, .ed25519))
        #expect(try !verifies(key.publicKey, expected, Vectors.edBase + "\n", .ed25519))
    }

    /// RFC 8032 7.1, tests 1 to 3: seed, public key, message, signature.
    static let rfc8032 = [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ]

    @Test(arguments: rfc8032)
    func ed25519Raw(seed: String, point: String, message: String, signature: String) throws {
        let (seed, point) = (Hex.decode(bytes(seed).span) ?? [], Hex.decode(bytes(point).span) ?? [])
        let (message, signature) = (Hex.decode(bytes(message).span) ?? [], Hex.decode(bytes(signature).span) ?? [])
        let key = try PrivateKey(ed25519Seed: seed.span)
        let other = try PublicKey(ed25519: point.span)
        let own = try key.sign(message.span, .ed25519)
        let isValid = try other.verify(signature.span, over: message.span, .ed25519)
        #expect(key.publicKey.subjectPublicKeyInfo == other.subjectPublicKeyInfo)
        #expect(own == signature)
        #expect(isValid)
    }

    @Test(arguments: [
        EncryptionScheme.rsaPKCS1, .rsaOAEP(.sha1, mask: .sha1), .rsaOAEP(.sha256, mask: .sha256),
        .rsaOAEP(.sha256, mask: .sha1),
    ])
    func encryption(padding: EncryptionScheme) throws {
        let key = try privateKey(Vectors.rsaPrivate)
        for plain in [bytes("p4ssw0rd"), []] {
            let sealed = try key.publicKey.encrypt(plain.span, padding)
            #expect(sealed.count == 128)
            let opened = try key.decrypt(sealed.span, padding)
            #expect(opened == plain)
        }
        let tooLong = [UInt8](repeating: 1, count: 129)
        #expect(throws: CryptographyError.self) { try key.publicKey.encrypt(tooLong.span, padding) }
        let ec = try privateKey(Vectors.p256Private)
        #expect(throws: CryptographyError(.unsuitableKey, "RSA encryption with EC P-256")) {
            try ec.publicKey.encrypt([1].span, padding)
        }
    }

    @Test func bareBase64() throws {
        let key = try privateKey(Vectors.p256Private)
        let text = Base64.encode(key.publicKey.subjectPublicKeyInfo.span)
        let wrapped = Array(text.prefix(64)) + [0x0D, 0x0A] + Array(text.dropFirst(64)) + [0x0A]
        for form in [text, wrapped, key.publicKey.subjectPublicKeyInfo] {
            let read = try PublicKey(parsing: form.span)
            #expect(read.subjectPublicKeyInfo == key.publicKey.subjectPublicKeyInfo)
        }
        let lines = Vectors.rsaPrivate.split(separator: "\n").dropFirst().dropLast().joined()
        #expect(try privateKey(lines).kind == .rsa(bits: 1024))
    }

    @Test func encryptedKeys() throws {
        let key = try privateKey(Vectors.encryptedPrivate, passphrase: "open-sesame")
        #expect(
            key.publicKey.subjectPublicKeyInfo == (try privateKey(Vectors.p256Private)).publicKey.subjectPublicKeyInfo)
        for passphrase in [nil, "wrong"] {
            let error = #expect(throws: CryptographyError.self) {
                _ = try privateKey(Vectors.encryptedPrivate, passphrase: passphrase)
            }
            #expect(error?.kind == .encryptedKey)
        }
    }

    @Test(arguments: [
        "", "x", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", KeyVectors.p192Private,
    ])
    func unreadable(text: String) {
        let error = #expect(throws: CryptographyError.self) { _ = try privateKey(text) }
        #expect(error?.kind == .unreadableKey)
        #expect(throws: CryptographyError.self) { _ = try publicKey(text + "AAAA") }
    }

    @Test func publicIsNotPrivate() {
        #expect(throws: CryptographyError.self) { _ = try privateKey(Vectors.pssPublic) }
    }

    @Test func schemesMustFit() throws {
        let ec = try privateKey(Vectors.p256Private)
        for scheme in [SignatureScheme.rsaPKCS1(.sha256), .rsaPSS(.sha256), .ed25519] {
            let error = #expect(throws: CryptographyError.self) { try ec.sign([1].span, scheme) }
            #expect(error?.kind == .unsuitableKey)
        }
        #expect(throws: CryptographyError.self) {
            try privateKey(Vectors.edPrivate).sign([1].span, .ecdsa(.sha256, .raw))
        }
    }

    @Test func renderings() throws {
        let key = try privateKey(Vectors.rsaPrivate)
        var text = ""
        dump(key, to: &text)
        #expect("\(key)" == "private key, RSA 1024")
        #expect(!text.contains("handle"))
    }
}
