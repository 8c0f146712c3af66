import COpenSSL

/// A public key: RSA, EC P-256, EC P-384 or Ed25519. May be used from several threads.
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
        let context = try SignatureContext(handle, scheme, .verifying)
        guard case .ecdsa(_, .raw) = scheme, let size = handle.kind.fieldBytes else {
            return context.verify(signature, over: message)
        }
        guard let der = ECDSASignature.der(fromRaw: signature, fieldBytes: size) else { return false }
        return context.verify(der.span, over: message)
    }

    /// RSA encryption. Errors: `.unsuitableKey`, `.encryptionFailed` (too long for the key).
    package func encrypt(_ bytes: Span<UInt8>, _ padding: EncryptionPadding) throws(CryptographyError) -> [UInt8] {
        let context = try CipherContext(handle, padding, encrypting: true)
        return try context.run(bytes)
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
