import CCryptoShims
import COpenSSL

/// Owns one EVP_PKEY. OpenSSL counts references atomically and only reads a finished key, so keys are shared freely.
final class KeyHandle: Sendable {
    let shared: SharedHandle
    let kind: KeyKind

    /// Takes the ownership, also when it throws.
    init(owning key: OpaquePointer) throws(CryptographyError) {
        shared = unsafe SharedHandle(key)
        let found = unsafe Self.kind(of: key)
        // A placeholder, so that `deinit` runs and frees the key when this throws.
        kind = found ?? .ed25519
        guard found != nil else {
            throw CryptographyError(
                .unreadableKey, "only RSA, Ed25519 and EC keys (P-256, P-384, P-521, secp256k1, SM2) are supported")
        }
    }

    /// A damaged key file can hold halves of two keys; it would sign what nobody can verify. RSA keys without their primes
    /// (a JWK with `d` alone) cannot be tested, so none is.
    var isPair: Bool {
        if case .rsa = kind { return true }
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, shared.pointer, nil) else { return false }
        defer {
            unsafe EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        return unsafe EVP_PKEY_pairwise_check(context) == 1
    }

    deinit { unsafe EVP_PKEY_free(shared.pointer) }

    private static func kind(of key: OpaquePointer) -> KeyKind? {
        let isRSA = unsafe EVP_PKEY_is_a(key, "RSA") == 1 || EVP_PKEY_is_a(key, "RSA-PSS") == 1
        if isRSA { return unsafe .rsa(bits: Int(EVP_PKEY_get_bits(key))) }
        if unsafe EVP_PKEY_is_a(key, "ED25519") == 1 { return .ed25519 }
        guard unsafe EVP_PKEY_is_a(key, "EC") == 1 || EVP_PKEY_is_a(key, "SM2") == 1 else { return nil }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name in
            var count = 0
            guard unsafe EVP_PKEY_get_group_name(key, name.baseAddress, name.count, &count) == 1,
                let start = name.baseAddress
            else { return nil }
            switch unsafe String(cString: start) {
            case "prime256v1", "P-256", "secp256r1": return .p256
            case "secp384r1", "P-384": return .p384
            case "secp521r1", "P-521": return .p521
            case "secp256k1": return .secp256k1
            // The library has two types of key on this curve; with the other one it would make an ECDSA signature.
            case "SM2": return unsafe EVP_PKEY_is_a(key, "SM2") == 1 ? .sm2 : nil
            default: return nil
            }
        }
    }
}
