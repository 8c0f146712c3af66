import CCryptoShims
import COpenSSL

/// CMAC with AES (RFC 4493, NIST SP 800-38B).
package enum CMAC {
    /// 16 bytes. Errors: `.unsuitableKey` (a key of 16, 24 or 32 bytes), `.signingFailed`.
    package static func aes(key: Span<UInt8>, message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
        let algorithm = CipherAlgorithm(.aes, .cbc)
        guard algorithm.keyBytes.contains(key.count) else {
            throw CryptographyError(.unsuitableKey, "a key of \(key.count) bytes, not of 16, 24, 32")
        }
        ERR_clear_error()
        guard let method = unsafe EVP_MAC_fetch(nil, "CMAC", nil) else { throw CryptographyError.last(.signingFailed) }
        // The context keeps its own reference to the method.
        defer { unsafe EVP_MAC_free(method) }
        guard let context = unsafe EVP_MAC_CTX_new(method) else { throw CryptographyError.last(.signingFailed) }
        defer { unsafe EVP_MAC_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: 16)
        var name = algorithm.libraryName(keyBytes: key.count).utf8CString.map { $0 }
        let done = unsafe name.withUnsafeMutableBufferPointer { name in
            unsafe withUnsafeTemporaryAllocation(of: OSSL_PARAM.self, capacity: 2) { list in
                guard let first = list.baseAddress, let start = name.baseAddress else { return false }
                unsafe gw_params_cipher(first, start)
                let begun = unsafe key.withUnsafeBufferPointer {
                    unsafe EVP_MAC_init(context, $0.baseAddress, $0.count, first) == 1
                }
                let taken = unsafe message.withUnsafeBufferPointer {
                    unsafe begun && EVP_MAC_update(context, $0.baseAddress, $0.count) == 1
                }
                var count = 0
                return unsafe output.withUnsafeMutableBufferPointer {
                    unsafe taken && EVP_MAC_final(context, $0.baseAddress, &count, $0.count) == 1 && count == $0.count
                }
            }
        }
        guard done else { throw CryptographyError.last(.signingFailed) }
        return output
    }
}
