import COpenSSL

/// One RSA encryption or decryption.
@safe final class CipherContext {
    private let context: OpaquePointer
    private let isEncrypting: Bool

    init(_ key: KeyHandle, _ padding: EncryptionPadding, encrypting: Bool) throws(CryptographyError) {
        guard case .rsa = key.kind else {
            throw CryptographyError(.unsuitableKey, "RSA encryption with \(key.kind)")
        }
        ERR_clear_error()
        let failure: CryptographyError.Kind = encrypting ? .encryptionFailed : .decryptionFailed
        guard let made = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.shared.pointer, nil) else {
            throw CryptographyError.last(failure)
        }
        // All fields are set from here on: `deinit` frees the context when the rest throws.
        isEncrypting = encrypting
        unsafe context = made
        guard unsafe (encrypting ? EVP_PKEY_encrypt_init(made) : EVP_PKEY_decrypt_init(made)) == 1,
            unsafe Self.pad(made, padding)
        else { throw CryptographyError.last(failure) }
    }

    private static func pad(_ context: OpaquePointer, _ padding: EncryptionPadding) -> Bool {
        switch padding {
        case .pkcs1: return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
        case .oaep(let digest):
            let method = unsafe DigestMethod.of(digest).handle.pointer
            return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_oaep_md(context, method) == 1
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, method) == 1
        }
    }

    deinit { unsafe EVP_PKEY_CTX_free(context) }

    func run(_ input: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
        let (context, isEncrypting) = unsafe (self.context, self.isEncrypting)
        let step = unsafe isEncrypting ? EVP_PKEY_encrypt : EVP_PKEY_decrypt
        let failure: CryptographyError.Kind = isEncrypting ? .encryptionFailed : .decryptionFailed
        var count = 0
        var done = unsafe input.withUnsafeBufferPointer {
            unsafe step(context, nil, &count, $0.baseAddress, $0.count)
        }
        guard done == 1 else { throw CryptographyError.last(failure) }
        let output = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            unsafe input.withUnsafeBufferPointer {
                done = unsafe step(context, buffer.baseAddress, &count, $0.baseAddress, $0.count)
            }
            initialized = done == 1 ? count : 0
        }
        guard done == 1 else { throw CryptographyError.last(failure) }
        return output
    }
}
