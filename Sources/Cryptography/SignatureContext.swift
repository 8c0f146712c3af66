import Bytes
import COpenSSL

/// One signature or verification: a digest context set up for a key and a scheme.
@safe final class SignatureContext {
    private let context: OpaquePointer

    enum Purpose { case signing, verifying }

    init(_ key: KeyHandle, _ scheme: SignatureScheme, _ purpose: Purpose) throws(CryptographyError) {
        try scheme.check(key.kind)
        ERR_clear_error()
        guard let made = unsafe EVP_MD_CTX_new() else { throw CryptographyError(.signingFailed, "out of memory") }
        // Set from here on: `deinit` frees the context when the rest throws.
        unsafe context = made
        var parameters: OpaquePointer?
        let digest = unsafe scheme.digest.map { unsafe DigestMethod.of($0).handle.pointer }
        // Methods are handed over as objects, not names: no look-up per call. Ed25519 takes none.
        let begun =
            switch purpose {
            case .signing: unsafe EVP_DigestSignInit(made, &parameters, digest, nil, key.shared.pointer)
            case .verifying: unsafe EVP_DigestVerifyInit(made, &parameters, digest, nil, key.shared.pointer)
            }
        guard begun == 1 else { throw CryptographyError.last(.signingFailed) }
        if case .sm2(let identity, _) = scheme {
            let isNamed = unsafe identity.withUnsafeBufferPointer {
                unsafe EVP_PKEY_CTX_set1_id(parameters, $0.baseAddress, Int32(clamping: $0.count)) == 1
            }
            guard isNamed else { throw CryptographyError.last(.signingFailed) }
        }
        if case .rsaPSS = scheme {
            let isPadded =
                unsafe EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1
            guard isPadded else { throw CryptographyError.last(.signingFailed) }
        }
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    func sign(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
        let context = unsafe self.context
        var count = 0
        let measured = unsafe message.withUnsafeBufferPointer {
            unsafe EVP_DigestSign(context, nil, &count, $0.baseAddress, $0.count)
        }
        guard measured == 1 else { throw CryptographyError.last(.signingFailed) }
        let signature = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let done = unsafe message.withUnsafeBufferPointer {
                unsafe EVP_DigestSign(context, buffer.baseAddress, &count, $0.baseAddress, $0.count)
            }
            initialized = done == 1 ? count : 0
        }
        guard !signature.isEmpty else { throw CryptographyError.last(.signingFailed) }
        return signature
    }

    func verify(_ signature: Span<UInt8>, over message: Span<UInt8>) -> Bool {
        let context = unsafe self.context
        let verdict = unsafe signature.withUnsafeBufferPointer { given in
            unsafe message.withUnsafeBufferPointer {
                unsafe EVP_DigestVerify(context, given.baseAddress, given.count, $0.baseAddress, $0.count)
            }
        }
        // A refused signature leaves entries in the queue that would explain somebody else's error.
        if verdict != 1 { ERR_clear_error() }
        return verdict == 1
    }
}
