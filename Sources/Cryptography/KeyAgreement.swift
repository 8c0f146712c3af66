import COpenSSL

/// A secret that two keys share: one's private with the other's public half.
package enum KeyAgreement {
    /// The x coordinate of the shared point (SEC 1 3.3.1), as long as the field. Errors: `.unsuitableKey` (two keys that are not
    /// on one curve), `.signingFailed`.
    package static func ecdh(_ key: PrivateKey, _ peer: PublicKey) throws(CryptographyError) -> [UInt8] {
        guard key.kind == peer.kind, key.kind.fieldBytes != nil, key.kind != .sm2 else {
            throw CryptographyError(.unsuitableKey, "ECDH of \(key.kind) and \(peer.kind)")
        }
        return unsafe try derive(key.handle.shared.pointer, peer.handle.shared.pointer)
    }

    /// X25519 (RFC 7748 5): 32 bytes of two keys of 32 bytes. Errors: `.unsuitableKey`, `.signingFailed` (a point of small order).
    package static func x25519(_ key: Span<UInt8>, _ peer: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
        let own = unsafe try x25519Key(key)
        defer { unsafe EVP_PKEY_free(own) }
        guard peer.count == 32 else { throw CryptographyError(.unsuitableKey, "an X25519 key has 32 bytes") }
        let other = unsafe peer.withUnsafeBufferPointer {
            unsafe EVP_PKEY_new_raw_public_key_ex(nil, "X25519", nil, $0.baseAddress, $0.count)
        }
        guard let other = unsafe other else { throw CryptographyError.last(.unsuitableKey) }
        defer { unsafe EVP_PKEY_free(other) }
        return unsafe try derive(own, other)
    }

    /// The public half of an X25519 key. Error: `.unsuitableKey`.
    package static func x25519Public(of key: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
        let own = unsafe try x25519Key(key)
        defer { unsafe EVP_PKEY_free(own) }
        var output = [UInt8](repeating: 0, count: 32)
        var count = 32
        let done = unsafe output.withUnsafeMutableBufferPointer {
            unsafe EVP_PKEY_get_raw_public_key(own, $0.baseAddress, &count) == 1
        }
        guard done, count == 32 else { throw CryptographyError.last(.unsuitableKey) }
        return output
    }

    private static func x25519Key(_ bytes: Span<UInt8>) throws(CryptographyError) -> OpaquePointer {
        guard bytes.count == 32 else { throw CryptographyError(.unsuitableKey, "an X25519 key has 32 bytes") }
        ERR_clear_error()
        let key = unsafe bytes.withUnsafeBufferPointer {
            unsafe EVP_PKEY_new_raw_private_key_ex(nil, "X25519", nil, $0.baseAddress, $0.count)
        }
        guard let key = unsafe key else { throw CryptographyError.last(.unsuitableKey) }
        return unsafe key
    }

    private static func derive(_ own: OpaquePointer, _ other: OpaquePointer) throws(CryptographyError) -> [UInt8] {
        ERR_clear_error()
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, own, nil) else {
            throw CryptographyError.last(.signingFailed)
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var count = 0
        let ready =
            unsafe EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, other) == 1
            && EVP_PKEY_derive(context, nil, &count) == 1
        guard ready else { throw CryptographyError.last(.signingFailed) }
        var done = false
        let output = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            done = unsafe EVP_PKEY_derive(context, buffer.baseAddress, &count) == 1
            initialized = done ? count : 0
        }
        guard done else { throw CryptographyError.last(.signingFailed) }
        return output
    }
}
