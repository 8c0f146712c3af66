import COpenSSL

/// A private key (`KeyKind`). Rendered as its kind only. May be used from several threads.
package final class PrivateKey: Sendable, CustomStringConvertible, CustomReflectable {
    let handle: KeyHandle

    /// Reads PEM (PKCS#8, PKCS#1, SEC 1; encrypted with `passphrase`), DER, or bare base 64 of DER.
    /// Errors: `.unreadableKey`, `.encryptedKey`.
    package init(parsing bytes: Span<UInt8>, passphrase: Secret? = nil) throws(CryptographyError) {
        handle = try KeyReader.privateKey(bytes, passphrase: passphrase)
        guard handle.isPair else {
            throw CryptographyError(.unreadableKey, "its private and its public half do not belong together")
        }
    }

    /// The 32-byte seed of an Ed25519 key (RFC 8032 5.1.5, JWK `d`).
    package init(ed25519Seed seed: Span<UInt8>) throws(CryptographyError) {
        guard seed.count == 32 else { throw CryptographyError(.unreadableKey, "an Ed25519 seed has 32 bytes") }
        ERR_clear_error()
        let key = unsafe seed.withUnsafeBufferPointer {
            unsafe EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, $0.baseAddress, $0.count)
        }
        guard let key = unsafe key else { throw CryptographyError.last(.unreadableKey) }
        handle = unsafe try KeyHandle(owning: key)
    }

    package var kind: KeyKind { handle.kind }

    /// The public half.
    package var publicKey: PublicKey { PublicKey(handle) }

    /// Signs a message (not a digest of it). Errors: `.unsuitableKey`, `.signingFailed` (RSA key too short for the digest).
    package func sign(_ message: Span<UInt8>, _ scheme: SignatureScheme) throws(CryptographyError) -> [UInt8] {
        if case .rsaRaw = scheme {
            let context = try CipherContext(handle, .signing)
            return try context.run(message)
        }
        let context = try SignatureContext(handle, scheme, .signing)
        let signature = try context.sign(message)
        guard case .raw? = scheme.format, let size = handle.kind.fieldBytes else { return signature }
        guard let raw = ECDSASignature.raw(fromDER: signature, fieldBytes: size), !raw.isEmpty else {
            throw CryptographyError.last(.signingFailed)
        }
        return raw
    }

    /// Decryption. Every failure is the same `.decryptionFailed`.
    package func decrypt(_ bytes: Span<UInt8>, _ scheme: EncryptionScheme) throws(CryptographyError) -> [UInt8] {
        let context = try CipherContext(handle, .decrypting(scheme))
        guard case .sm2 = scheme else { return try context.run(bytes) }
        guard let der = SM2Ciphertext.der(fromRaw: bytes) else {
            throw CryptographyError(.decryptionFailed, "no SM2 ciphertext")
        }
        return try context.run(der.span)
    }

    package var description: String { "private key, \(kind)" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
