import Bytes
import COpenSSL

/// Keys from passwords and from other keys.
package enum KeyDerivation {
    /// PBKDF2 with HMAC (RFC 8018 5.2). Blocks the thread: about 0.3 us for each iteration and each 20 to 64 bytes.
    /// Error: `.encryptionFailed`.
    package static func pbkdf2(
        _ algorithm: DigestAlgorithm, password: Span<UInt8>, salt: Span<UInt8>, iterations: Int, count: Int
    ) throws(CryptographyError) -> [UInt8] {
        ERR_clear_error()
        return unsafe try fill(count) { start in
            unsafe password.withUnsafeBytes { password in
                unsafe salt.withUnsafeBufferPointer {
                    // A nil password is an empty one.
                    unsafe PKCS5_PBKDF2_HMAC(
                        password.baseAddress?.assumingMemoryBound(to: CChar.self),
                        Int32(clamping: password.count), $0.baseAddress, Int32(clamping: $0.count),
                        Int32(clamping: iterations), DigestMethod.of(algorithm).handle.pointer, Int32(clamping: count),
                        start) == 1
                }
            }
        }
    }

    /// scrypt (RFC 7914). Error: `.encryptionFailed` (numbers that do not fit, or more memory than `memory` bytes).
    package static func scrypt(
        password: Span<UInt8>, salt: Span<UInt8>, n: UInt64, r: UInt64, p: UInt64, memory: UInt64, count: Int
    ) throws(CryptographyError) -> [UInt8] {
        ERR_clear_error()
        return unsafe try fill(count) { start in
            unsafe password.withUnsafeBytes { password in
                unsafe salt.withUnsafeBufferPointer {
                    unsafe EVP_PBE_scrypt(
                        password.baseAddress?.assumingMemoryBound(to: CChar.self),
                        password.count, $0.baseAddress, $0.count, n, r, p, memory, start, count) == 1
                }
            }
        }
    }

    private static func fill(
        _ count: Int, _ body: (UnsafeMutablePointer<UInt8>?) -> Bool
    ) throws(CryptographyError) -> [UInt8] {
        var done = false
        let output = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            done = unsafe body(buffer.baseAddress)
            initialized = done ? count : 0
        }
        guard done else { throw CryptographyError.last(.encryptionFailed) }
        return output
    }

    /// HKDF, extract and expand (RFC 5869). An empty salt is the default one.
    /// - Parameter count: at most 255 digests; `nil` beyond.
    package static func hkdf(
        _ algorithm: DigestAlgorithm, key: Span<UInt8>, salt: Span<UInt8>, info: [UInt8], count: Int
    ) -> [UInt8]? {
        guard count >= 0, count <= 255 * algorithm.byteCount else { return nil }
        let extracted = HMAC.authenticate(algorithm, key: salt, message: key)
        var (output, block, number): ([UInt8], [UInt8], UInt8) = ([], [], 1)
        while output.count < count {
            let message = block + info + [number]
            block = HMAC.authenticate(algorithm, key: extracted.span, message: message.span)
            output += block
            number &+= 1
        }
        return Array(output.prefix(count))
    }
}
