import COpenSSL

/// One operation of a key on a few bytes, without a digest: encryption, decryption, or a signature over them as they are.
@safe final class CipherContext {
    enum Operation {
        case encrypting(EncryptionScheme)
        case decrypting(EncryptionScheme)
        /// RSA, PKCS #1 v1.5 block type 1.
        case signing

        fileprivate var failure: CryptographyError.Kind {
            switch self {
            case .encrypting: .encryptionFailed
            case .decrypting: .decryptionFailed
            case .signing: .signingFailed
            }
        }

        fileprivate func begin(_ context: OpaquePointer) -> Bool {
            switch self {
            case .encrypting(let scheme):
                unsafe EVP_PKEY_encrypt_init(context) == 1 && CipherContext.pad(context, scheme)
            case .decrypting(let scheme):
                unsafe EVP_PKEY_decrypt_init(context) == 1 && CipherContext.pad(context, scheme)
            case .signing: unsafe EVP_PKEY_sign_init(context) == 1 && CipherContext.pad(context, .rsaPKCS1)
            }
        }

        /// `output` nil: only the count.
        fileprivate func run(
            _ context: OpaquePointer, _ output: UnsafeMutablePointer<UInt8>?, _ count: inout Int,
            _ input: UnsafeBufferPointer<UInt8>
        ) -> Bool {
            switch self {
            case .encrypting:
                unsafe EVP_PKEY_encrypt(context, output, &count, input.baseAddress, input.count) == 1
            case .decrypting:
                unsafe EVP_PKEY_decrypt(context, output, &count, input.baseAddress, input.count) == 1
            case .signing: unsafe EVP_PKEY_sign(context, output, &count, input.baseAddress, input.count) == 1
            }
        }
    }

    private let context: OpaquePointer
    private let operation: Operation

    init(_ key: KeyHandle, _ operation: Operation) throws(CryptographyError) {
        switch (operation, key.kind) {
        case (.encrypting(.sm2), .sm2), (.decrypting(.sm2), .sm2): break
        case (.encrypting(.sm2), _), (.decrypting(.sm2), _):
            throw CryptographyError(.unsuitableKey, "SM2 encryption with \(key.kind)")
        case (_, .rsa): break
        default: throw CryptographyError(.unsuitableKey, "RSA encryption with \(key.kind)")
        }
        ERR_clear_error()
        guard let made = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.shared.pointer, nil) else {
            throw CryptographyError.last(operation.failure)
        }
        // All fields are set from here on: `deinit` frees the context when the rest throws.
        self.operation = operation
        unsafe context = made
        guard unsafe operation.begin(made) else { throw CryptographyError.last(operation.failure) }
    }

    private static func pad(_ context: OpaquePointer, _ scheme: EncryptionScheme) -> Bool {
        switch scheme {
        case .rsaPKCS1: return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
        case .rsaRaw: return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) == 1
        case .rsaOAEP(let label, let mask):
            let (label, mask) = (DigestMethod.of(label).handle, DigestMethod.of(mask).handle)
            return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_oaep_md(context, label.pointer) == 1
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, mask.pointer) == 1
        case .sm2: return true
        }
    }

    deinit { unsafe EVP_PKEY_CTX_free(context) }

    func run(_ input: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
        let (context, operation) = unsafe (self.context, self.operation)
        var count = 0
        var done = unsafe input.withUnsafeBufferPointer { unsafe operation.run(context, nil, &count, $0) }
        guard done else { throw CryptographyError.last(operation.failure) }
        let output = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            unsafe input.withUnsafeBufferPointer {
                done = unsafe operation.run(context, buffer.baseAddress, &count, $0)
            }
            initialized = done ? count : 0
        }
        guard done else { throw CryptographyError.last(operation.failure) }
        return output
    }
}
