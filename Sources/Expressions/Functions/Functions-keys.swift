import Cryptography

/// Signatures and encryption with keys. A key is PEM, DER, or base 64 of DER; for Ed25519 also the 32 raw bytes.
extension FunctionTable {
    static let keys: [Function] =
        [DigestAlgorithm.sha1, .sha256, .sha384, .sha512].flatMap { digest -> [Function] in
            let upper = "Sha" + digest.name.dropFirst(3)
            return [
                signing("rsa.\(digest.name)", "RSA signature, PKCS #1 v1.5, \(digest.name)", .rsaPKCS1(digest)),
                verifying("rsa.verify\(upper)", "RSA, PKCS #1 v1.5, \(digest.name)", .rsaPKCS1(digest)),
            ]
        }
        + [DigestAlgorithm.sha256, .sha384, .sha512].flatMap { digest -> [Function] in
            let upper = "Sha" + digest.name.dropFirst(3)
            return [
                signing("rsa.pss\(upper)", "RSA-PSS signature, \(digest.name)", .rsaPSS(digest)),
                verifying("rsa.verifyPss\(upper)", "RSA-PSS, \(digest.name)", .rsaPSS(digest)),
            ]
        }
        + [DigestAlgorithm.sha256, .sha384].flatMap { digest -> [Function] in
            let upper = "Sha" + digest.name.dropFirst(3)
            return [
                signing("ecdsa.\(digest.name)", "ECDSA signature as r and s, \(digest.name)", .ecdsa(digest, .raw)),
                signing("ecdsa.der\(upper)", "ECDSA signature as DER, \(digest.name)", .ecdsa(digest, .der)),
                verifying("ecdsa.verify\(upper)", "ECDSA as r and s, \(digest.name)", .ecdsa(digest, .raw)),
                verifying("ecdsa.verifyDer\(upper)", "ECDSA as DER, \(digest.name)", .ecdsa(digest, .der)),
            ]
        }
        + [
            signing("ed25519.sign", "Ed25519 signature", .ed25519),
            verifying("ed25519.verify", "Ed25519", .ed25519),
            encrypting("rsa.encrypt", "PKCS #1 v1.5", .pkcs1),
            encrypting("rsa.encryptOaep", "OAEP with SHA-1", .oaep(.sha1)),
            encrypting("rsa.encryptOaepSha256", "OAEP with SHA-256", .oaep(.sha256)),
        ]

    private static func signing(_ name: String, _ summary: String, _ scheme: SignatureScheme) -> Function {
        Function(
            "\(name)(string|bytes, string|bytes) -> bytes", summary: "\(summary), of private key and message.",
            isPure: false,
            body: .binary { key, message throws(EvaluationError) in
                let message = try message.requireContents()
                let key = try KeyCache.shared.privateKey(try key.requireContents())
                do throws(CryptographyError) {
                    return .bytes(try key.sign(message.span, scheme)[...])
                } catch {
                    throw EvaluationError(.failed, error.description)
                }
            })
    }

    private static func verifying(_ name: String, _ summary: String, _ scheme: SignatureScheme) -> Function {
        Function(
            "\(name)(string|bytes, string|bytes, bytes) -> bool",
            summary: "Whether the signature is right (\(summary)), of public key, message and signature.",
            isPure: false,
            body: .variadic { values throws(EvaluationError) in
                let (message, signature) = (try values[1].requireContents(), try values[2].requireContents())
                let key = try KeyCache.shared.publicKey(try values[0].requireContents())
                do throws(CryptographyError) {
                    return .bool(try key.verify(signature.span, over: message.span, scheme))
                } catch {
                    throw EvaluationError(.failed, error.description)
                }
            })
    }

    private static func encrypting(_ name: String, _ summary: String, _ padding: EncryptionPadding) -> Function {
        Function(
            "\(name)(string|bytes, string|bytes) -> bytes",
            summary: "RSA encryption, \(summary), of public key and message.", isPure: false,
            body: .binary { key, message throws(EvaluationError) in
                let message = try message.requireContents()
                let key = try KeyCache.shared.publicKey(try key.requireContents())
                do throws(CryptographyError) {
                    return .bytes(try key.encrypt(message.span, padding)[...])
                } catch {
                    throw EvaluationError(.failed, error.description)
                }
            })
    }
}
