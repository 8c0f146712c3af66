import COpenSSL

/// Comparison whose time does not depend on where two values differ.
package enum ConstantTime {
    /// Same count and same bytes. Different counts answer at once: the length of a MAC or token is no secret.
    package static func equal(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
        guard a.count == b.count else { return false }
        guard !a.isEmpty else { return true }
        return unsafe a.withUnsafeBytes { left in
            unsafe b.withUnsafeBytes { right in
                unsafe CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
            }
        }
    }
}
