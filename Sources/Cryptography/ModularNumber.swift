import COpenSSL

/// Numbers of some hundred bytes modulo another one: SRP, Diffie-Hellman, RSA by hand.
package enum ModularNumber {
    package enum Operation: Sendable { case power, product, sum, difference }

    /// Most bytes of each number (4096 bits): a power takes about 30 ms then.
    package static let mostBytes = 512

    /// Big endian, as long as the modulus. `nil`: a number is too long, or the modulus is 0.
    package static func compute(
        _ operation: Operation, _ a: Span<UInt8>, _ b: Span<UInt8>, modulo modulus: Span<UInt8>
    ) -> [UInt8]? {
        guard a.count <= mostBytes, b.count <= mostBytes, 1...mostBytes ~= modulus.count else { return nil }
        guard let scratch = unsafe BN_CTX_secure_new() else { return nil }
        defer { unsafe BN_CTX_free(scratch) }
        let numbers = unsafe [number(a), number(b), number(modulus), BN_secure_new()]
        defer { for index in 0..<4 { unsafe BN_clear_free(numbers[index]) } }
        guard let x = unsafe numbers[0], let y = unsafe numbers[1], let m = unsafe numbers[2],
            let result = unsafe numbers[3], unsafe BN_is_zero(m) == 0
        else { return nil }
        ERR_clear_error()
        let done =
            switch operation {
            case .power:
                // The exponent is mostly the secret; the way that takes the same time needs an odd modulus.
                unsafe BN_is_odd(m) == 1
                    ? BN_nnmod(x, x, m, scratch) == 1 && BN_mod_exp_mont_consttime(result, x, y, m, scratch, nil) == 1
                    : BN_mod_exp(result, x, y, m, scratch) == 1
            case .product: unsafe BN_mod_mul(result, x, y, m, scratch) == 1
            case .sum: unsafe BN_mod_add(result, x, y, m, scratch) == 1
            case .difference: unsafe BN_mod_sub(result, x, y, m, scratch) == 1
            }
        guard done else { return nil }
        var output = [UInt8](repeating: 0, count: modulus.count)
        let written = unsafe output.withUnsafeMutableBufferPointer {
            unsafe BN_bn2binpad(result, $0.baseAddress, Int32($0.count))
        }
        return written == Int32(modulus.count) ? output : nil
    }

    private static func number(_ bytes: Span<UInt8>) -> OpaquePointer? {
        guard let number = unsafe BN_secure_new() else { return nil }
        return unsafe bytes.withUnsafeBufferPointer { unsafe BN_bin2bn($0.baseAddress, Int32($0.count), number) }
    }
}
