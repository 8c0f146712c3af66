import Bytes
import COpenSSL

/// One text under one key and vector.
@safe final class CipherRun {
    private let context: OpaquePointer
    private let isEncrypting: Bool

    init(
        _ algorithm: CipherAlgorithm, key: Span<UInt8>, vector: Span<UInt8>, encrypting: Bool, padding: Cipher.Padding
    ) throws(CryptographyError) {
        guard algorithm.keyBytes.contains(key.count) else {
            let sizes = algorithm.keyBytes.map { String($0) }.joined(separator: ", ")
            throw CryptographyError(.unsuitableKey, "a key of \(key.count) bytes, not of \(sizes)")
        }
        guard algorithm.vectorBytes.map({ $0 == vector.count }) ?? !vector.isEmpty else {
            let size = algorithm.vectorBytes ?? 12
            throw CryptographyError(.unsuitableKey, "an initial vector of \(vector.count) bytes, not of \(size)")
        }
        ERR_clear_error()
        isEncrypting = encrypting
        guard let method = CipherMethods.shared.method(algorithm, keyBytes: key.count),
            let made = unsafe EVP_CIPHER_CTX_new()
        else { throw CryptographyError.last(encrypting ? .encryptionFailed : .decryptionFailed) }
        // Set from here on: `deinit` frees the context when the rest throws.
        unsafe context = made
        let whole = Self.whole(key, algorithm.family)
        var done = unsafe EVP_CipherInit_ex2(made, method.pointer, nil, nil, encrypting ? 1 : 0, nil) == 1
        if algorithm.mode == .authenticated {
            done =
                unsafe done
                && EVP_CIPHER_CTX_ctrl(made, EVP_CTRL_AEAD_SET_IVLEN, Int32(clamping: vector.count), nil) == 1
        }
        done =
            unsafe done
            && whole.withUnsafeBufferPointer { key in
                unsafe vector.withUnsafeBufferPointer {
                    unsafe EVP_CipherInit_ex2(made, nil, key.baseAddress, $0.baseAddress, encrypting ? 1 : 0, nil) == 1
                }
            }
        if algorithm.isPadded, padding != .pkcs7 { unsafe EVP_CIPHER_CTX_set_padding(made, 0) }
        guard done else { throw failure }
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }

    /// DES is triple DES with one key three times over, and two keys mean the first again (NIST SP 800-67 keying options).
    private static func whole(_ key: Span<UInt8>, _ family: CipherAlgorithm.Family) -> [UInt8] {
        var whole: [UInt8] = []
        whole.append(copying: key)
        while family == .des, whole.count < 24 { whole.append(contentsOf: whole.prefix(8)) }
        return whole
    }

    private var failure: CryptographyError { .last(isEncrypting ? .encryptionFailed : .decryptionFailed) }

    /// Bytes that only the tag covers.
    func associate(_ bytes: Span<UInt8>) throws(CryptographyError) {
        guard !bytes.isEmpty else { return }
        let context = unsafe self.context
        var count: Int32 = 0
        let done = unsafe bytes.withUnsafeBufferPointer {
            unsafe EVP_CipherUpdate(context, nil, &count, $0.baseAddress, Int32(clamping: $0.count)) == 1
        }
        guard done else { throw failure }
    }

    /// The tag that the end must have; before the text.
    func expect(tag: Span<UInt8>) throws(CryptographyError) {
        let context = unsafe self.context
        var copy: [UInt8] = []
        copy.append(copying: tag)
        let done = unsafe copy.withUnsafeMutableBytes {
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(clamping: $0.count), $0.baseAddress) == 1
        }
        guard done else { throw failure }
    }

    /// The whole text.
    func finish(_ text: Span<UInt8>, into output: inout [UInt8]) throws(CryptographyError) {
        guard text.count < 1 << 30 else { throw CryptographyError(.encryptionFailed, "too long") }
        let context = unsafe self.context
        var done = true
        output = unsafe [UInt8](unsafeUninitializedCapacity: text.count + 32) { buffer, initialized in
            guard let start = buffer.baseAddress else { return }
            var (count, rest): (Int32, Int32) = (0, 0)
            if !text.isEmpty {
                done = unsafe text.withUnsafeBufferPointer {
                    unsafe EVP_CipherUpdate(context, start, &count, $0.baseAddress, Int32($0.count)) == 1
                }
            }
            done = unsafe done && EVP_CipherFinal_ex(context, start + Int(count), &rest) == 1
            initialized = done ? Int(count + rest) : 0
        }
        guard done else { throw failure }
    }

    func tag() throws(CryptographyError) -> [UInt8] {
        let context = unsafe self.context
        var tag = [UInt8](repeating: 0, count: Cipher.tagBytes)
        let done = unsafe tag.withUnsafeMutableBytes {
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(clamping: $0.count), $0.baseAddress) == 1
        }
        guard done else { throw failure }
        return tag
    }
}
