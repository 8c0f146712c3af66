import COpenSSL

/// The two spellings of an ECDSA signature.
enum ECDSASignature {
    /// DER to r and s side by side, `fieldBytes` each.
    static func raw(fromDER der: [UInt8], fieldBytes: Int) -> [UInt8]? {
        let parsed = unsafe der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_ECDSA_SIG(nil, &start, buffer.count)
        }
        guard let parsed = unsafe parsed else { return nil }
        defer { unsafe ECDSA_SIG_free(parsed) }
        return unsafe [UInt8](unsafeUninitializedCapacity: 2 * fieldBytes) { buffer, initialized in
            guard let start = buffer.baseAddress else { return }
            let size = Int32(clamping: fieldBytes)
            let done =
                unsafe BN_bn2binpad(ECDSA_SIG_get0_r(parsed), start, size) == size
                && BN_bn2binpad(ECDSA_SIG_get0_s(parsed), start + fieldBytes, size) == size
            initialized = done ? 2 * fieldBytes : 0
        }
    }

    /// r and s side by side to DER; `nil` when the count is not `2 * fieldBytes`.
    static func der(fromRaw raw: Span<UInt8>, fieldBytes: Int) -> [UInt8]? {
        guard raw.count == 2 * fieldBytes, let signature = unsafe ECDSA_SIG_new() else { return nil }
        defer { unsafe ECDSA_SIG_free(signature) }
        let size = Int32(clamping: fieldBytes)
        let filled = unsafe raw.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return false }
            let (r, s) = unsafe (BN_bin2bn(start, size, nil), BN_bin2bn(start + fieldBytes, size, nil))
            guard unsafe ECDSA_SIG_set0(signature, r, s) == 1 else {
                unsafe BN_free(r)
                unsafe BN_free(s)
                return false
            }
            return true
        }
        guard filled else { return nil }
        let count = unsafe i2d_ECDSA_SIG(signature, nil)
        guard count > 0 else { return nil }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
            var start = buffer.baseAddress
            initialized = unsafe Int(i2d_ECDSA_SIG(signature, &start))
        }
    }
}
