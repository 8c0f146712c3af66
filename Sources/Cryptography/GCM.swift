import COpenSSL

/// AES-256-GCM (NIST SP 800-38D) of one message: 32 bytes of key, 12 of nonce, 16 of tag at the end.
enum GCM {
    private static let tagCount = 16

    /// - Parameter bound: Bytes that are not in the result but must be the same when it is opened.
    static func seal(
        _ plain: [UInt8], key: [UInt8], nonce: [UInt8], bound: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        ERR_clear_error()
        guard let sealed = run(plain, key: key, nonce: nonce, bound: bound, tag: nil) else {
            throw CryptographyError.last(.encryptionFailed)
        }
        return sealed
    }

    /// `nil`: another key or nonce, other bound bytes, or a changed message; deliberately without a reason.
    static func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], bound: [UInt8]) -> [UInt8]? {
        guard sealed.count >= tagCount else { return nil }
        defer { ERR_clear_error() }
        return run(
            Array(sealed.dropLast(tagCount)), key: key, nonce: nonce, bound: bound,
            tag: Array(sealed.suffix(tagCount)))
    }

    /// Encrypts without a tag, decrypts with one.
    private static func run(
        _ input: [UInt8], key: [UInt8], nonce: [UInt8], bound: [UInt8], tag: [UInt8]?
    ) -> [UInt8]? {
        guard key.count == 32, nonce.count == 12, input.count <= 1 << 24, bound.count <= 1 << 24,
            let context = unsafe EVP_CIPHER_CTX_new()
        else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: input.count + tagCount)
        var count: Int32 = 0
        guard
            unsafe EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce, tag == nil ? 1 : 0) == 1,
            unsafe EVP_CipherUpdate(context, nil, &count, bound, Int32(bound.count)) == 1,
            unsafe EVP_CipherUpdate(context, &output, &count, input, Int32(input.count)) == 1
        else { return nil }
        let length = Int(count)
        if var tag {
            guard
                unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, Int32(tagCount), &tag) == 1,
                unsafe finish(context, &output, at: length)
            else { return nil }
            output.removeSubrange(length...)
            return output
        }
        var made = [UInt8](repeating: 0, count: tagCount)
        guard
            unsafe finish(context, &output, at: length),
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, Int32(tagCount), &made) == 1
        else { return nil }
        output.replaceSubrange(length..., with: made)
        return output
    }

    /// Checks the tag when decrypting. A stream mode has no last block, so nothing is added.
    private static func finish(_ context: OpaquePointer, _ output: inout [UInt8], at length: Int) -> Bool {
        var count: Int32 = 0
        return unsafe output.withUnsafeMutableBufferPointer {
            unsafe EVP_CipherFinal_ex(context, $0.baseAddress.map { unsafe $0 + length }, &count) == 1
        }
    }
}
