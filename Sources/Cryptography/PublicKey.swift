import Bytes
import COpenSSL

/// A public key (`KeyKind`). May be used from several threads.
package final class PublicKey: Sendable, CustomStringConvertible {
    let handle: KeyHandle

    init(_ handle: KeyHandle) { self.handle = handle }

    /// Reads PEM (SubjectPublicKeyInfo, PKCS#1, X.509 certificate), DER, or bare base 64 of DER. Error: `.unreadableKey`.
    package init(parsing bytes: Span<UInt8>) throws(CryptographyError) { handle = try KeyReader.publicKey(bytes) }

    /// The 32 bytes of an Ed25519 public key (JWK `x`).
    package init(ed25519 bytes: Span<UInt8>) throws(CryptographyError) {
        guard bytes.count == 32 else { throw CryptographyError(.unreadableKey, "an Ed25519 public key has 32 bytes") }
        ERR_clear_error()
        let key = unsafe bytes.withUnsafeBufferPointer {
            unsafe EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, $0.baseAddress, $0.count)
        }
        guard let key = unsafe key else { throw CryptographyError.last(.unreadableKey) }
        handle = unsafe try KeyHandle(owning: key)
    }

    package var kind: KeyKind { handle.kind }

    /// Does the signature belong to the message? A malformed signature is just false. Error: `.unsuitableKey`.
    package func verify(
        _ signature: Span<UInt8>, over message: Span<UInt8>, _ scheme: SignatureScheme
    ) throws(CryptographyError) -> Bool {
        if case .rsaRaw = scheme { throw CryptographyError(.unsuitableKey, "\(scheme) cannot be verified") }
        let context = try SignatureContext(handle, scheme, .verifying)
        guard case .raw? = scheme.format, let size = handle.kind.fieldBytes else {
            return context.verify(signature, over: message)
        }
        guard let der = ECDSASignature.der(fromRaw: signature, fieldBytes: size) else { return false }
        return context.verify(der.span, over: message)
    }

    /// Encryption. Errors: `.unsuitableKey`, `.encryptionFailed` (too long for the key).
    package func encrypt(_ bytes: Span<UInt8>, _ scheme: EncryptionScheme) throws(CryptographyError) -> [UInt8] {
        let context = try CipherContext(handle, .encrypting(scheme))
        switch scheme {
        case .rsaRaw:
            // The library wants a block as long as the modulus: zeros in front do not change the number.
            guard case .rsa(let bits) = kind else { return try context.run(bytes) }
            var block = [UInt8](repeating: 0, count: max(0, (bits + 7) / 8 - bytes.count))
            block.append(copying: bytes)
            return try context.run(block.span)
        case .sm2:
            let der = try context.run(bytes)
            guard let raw = SM2Ciphertext.raw(fromDER: der) else {
                throw CryptographyError(.encryptionFailed, "unknown form of SM2 ciphertext")
            }
            return raw
        case .rsaPKCS1, .rsaOAEP: return try context.run(bytes)
        }
    }

    /// DER of the SubjectPublicKeyInfo: fingerprints and pins are digests of it.
    package var subjectPublicKeyInfo: [UInt8] {
        let count = unsafe i2d_PUBKEY(handle.shared.pointer, nil)
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
            var start = buffer.baseAddress
            initialized = unsafe Int(Swift.max(0, i2d_PUBKEY(handle.shared.pointer, &start)))
        }
    }

    package var description: String { "public key, \(kind)" }
}
