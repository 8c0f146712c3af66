import Cryptography

/// Signatures and encryption with keys. A key is PEM, DER, or base 64 of DER; for Ed25519 also the 32 raw bytes.
extension FunctionTable {
    static let keys: [Function] =
        [DigestAlgorithm.md5, .sha1, .sha256, .sha384, .sha512].flatMap { digest -> [Function] in
            [
                signing("rsa.\(digest.name)", "RSA signature, PKCS #1 v1.5, \(digest.name)", .rsaPKCS1(digest)),
                verifying("rsa.verify\(suffix(digest))", "RSA, PKCS #1 v1.5, \(digest.name)", .rsaPKCS1(digest)),
            ]
        }
        + [DigestAlgorithm.sha1, .sha256, .sha384, .sha512].flatMap { digest -> [Function] in
            [
                signing("rsa.pss\(suffix(digest))", "RSA-PSS signature, \(digest.name)", .rsaPSS(digest)),
                verifying("rsa.verifyPss\(suffix(digest))", "RSA-PSS, \(digest.name)", .rsaPSS(digest)),
            ]
        }
        + [DigestAlgorithm.sha256, .sha384, .sha512].flatMap { digest -> [Function] in
            let (name, upper) = (digest.name, suffix(digest))
            return [
                signing("ecdsa.\(name)", "ECDSA signature as r and s, \(name)", .ecdsa(digest, .raw)),
                signing("ecdsa.der\(upper)", "ECDSA signature as DER, \(name)", .ecdsa(digest, .der)),
                verifying("ecdsa.verify\(upper)", "ECDSA as r and s, \(name)", .ecdsa(digest, .raw)),
                verifying("ecdsa.verifyDer\(upper)", "ECDSA as DER, \(name)", .ecdsa(digest, .der)),
            ]
        }
        + [
            signing("ed25519.sign", "Ed25519 signature", .ed25519),
            verifying("ed25519.verify", "Ed25519", .ed25519),
            signing(
                "rsa.signRaw", "RSA signature, PKCS #1 v1.5 padding around the message itself (no digest)", .rsaRaw),
        ] + encryptions

    private static let encryptions: [Function] = [
        encrypting("rsa.encrypt", "RSA encryption, PKCS #1 v1.5", .rsaPKCS1),
        encrypting("rsa.encryptOaep", "RSA encryption, OAEP with SHA-1", .rsaOAEP(.sha1, mask: .sha1)),
        encrypting("rsa.encryptOaepSha256", "RSA encryption, OAEP with SHA-256", .rsaOAEP(.sha256, mask: .sha256)),
        encrypting(
            "rsa.encryptOaepSha256Sha1",
            "RSA encryption, OAEP with SHA-256 and MGF1 with SHA-1 (Java's OAEPWithSHA-256AndMGF1Padding)",
            .rsaOAEP(.sha256, mask: .sha1)),
        encrypting(
            "rsa.encryptRaw", "RSA encryption without padding (zeros in front up to the length of the key)", .rsaRaw),
        decrypting("rsa.decrypt", "RSA, PKCS #1 v1.5", .rsaPKCS1),
        decrypting("rsa.decryptOaep", "RSA, OAEP with SHA-1", .rsaOAEP(.sha1, mask: .sha1)),
        decrypting("rsa.decryptOaepSha256", "RSA, OAEP with SHA-256", .rsaOAEP(.sha256, mask: .sha256)),
        decrypting("rsa.decryptOaepSha256Sha1", "RSA, OAEP, MGF1 with SHA-1", .rsaOAEP(.sha256, mask: .sha1)),
        encrypting("sm2.encrypt", "SM2 encryption, C1C3C2 with 0x04 in front", .sm2),
        decrypting("sm2.decrypt", "SM2, C1C3C2 with 0x04 in front", .sm2),
    ]

    private static func suffix(_ digest: DigestAlgorithm) -> String {
        digest == .md5 ? "Md5" : "Sha" + digest.name.dropFirst(3)
    }

    private static func signing(_ name: String, _ summary: String, _ scheme: SignatureScheme) -> Function {
        Function(
            "\(name)(string|bytes, string|bytes) -> bytes", summary: "\(summary), of private key and message.",
            isPure: false,
            body: .binary { key, message throws(EvaluationError) in try sign(key, message, scheme) })
    }

    static func sign(_ key: Value, _ message: Value, _ scheme: SignatureScheme) throws(EvaluationError) -> Value {
        let message = try message.requireContents()
        let key = try KeyCache.shared.privateKey(try key.requireContents())
        return .bytes(try reporting { () throws(CryptographyError) in try key.sign(message.span, scheme) }[...])
    }

    private static func verifying(_ name: String, _ summary: String, _ scheme: SignatureScheme) -> Function {
        Function(
            "\(name)(string|bytes, string|bytes, bytes) -> bool",
            summary: "Whether the signature is right (\(summary)), of public key, message and signature.",
            isPure: false,
            body: .variadic { values throws(EvaluationError) in try verify(values, scheme) })
    }

    /// - Parameter values: public key, message, signature.
    static func verify(_ values: [Value], _ scheme: SignatureScheme) throws(EvaluationError) -> Value {
        let (message, signature) = (try values[1].requireContents(), try values[2].requireContents())
        let key = try KeyCache.shared.publicKey(try values[0].requireContents())
        return .bool(
            try reporting { () throws(CryptographyError) in
                try key.verify(signature.span, over: message.span, scheme)
            })
    }

    private static func encrypting(_ name: String, _ summary: String, _ scheme: EncryptionScheme) -> Function {
        Function(
            "\(name)(string|bytes, string|bytes) -> bytes", summary: "\(summary), of public key and message.",
            isPure: false,
            body: .binary { key, message throws(EvaluationError) in
                let message = try message.requireContents()
                let key = try KeyCache.shared.publicKey(try key.requireContents())
                return .bytes(
                    try reporting { () throws(CryptographyError) in try key.encrypt(message.span, scheme) }[...])
            })
    }

    private static func decrypting(_ name: String, _ summary: String, _ scheme: EncryptionScheme) -> Function {
        Function(
            "\(name)(string|bytes, bytes) -> bytes",
            summary: "What was encrypted (\(summary)), of private key and ciphertext.", isPure: false,
            body: .binary { key, message throws(EvaluationError) in
                let message = try message.requireContents()
                let key = try KeyCache.shared.privateKey(try key.requireContents())
                return .bytes(
                    try reporting { () throws(CryptographyError) in try key.decrypt(message.span, scheme) }[...])
            })
    }

    /// An error of cryptography as one of the evaluation; its text holds no values.
    static func reporting<Result>(
        _ body: () throws(CryptographyError) -> Result
    ) throws(EvaluationError) -> Result {
        do throws(CryptographyError) {
            return try body()
        } catch {
            throw EvaluationError(.failed, error.description)
        }
    }
}
