package import Cryptography
import Synchronization

/// Parsed keys by the digest of their text: reading an RSA key costs as much as a signature. The only lock of this
/// target: it is held for a dictionary look-up, before work of a hundred microseconds and more.
package final class KeyCache: Sendable {
    private struct Store {
        var privateKeys: [[UInt8]: PrivateKey] = [:]
        var publicKeys: [[UInt8]: PublicKey] = [:]
    }

    package static let shared = KeyCache()
    /// A config names a few keys; per-account keys may be many, and then the oldest are not worth tracking.
    private static let limit = 256
    private let store = Mutex(Store())

    /// A private key: PEM, DER, base 64 of DER, JWK, or the 32 raw bytes of Ed25519.
    package func privateKey(_ text: ArraySlice<UInt8>) throws(EvaluationError) -> PrivateKey {
        try key(text, at: \.privateKeys, jwk: JWK.privateKey) { text throws(CryptographyError) in
            try text.count == 32 ? PrivateKey(ed25519Seed: text.span) : PrivateKey(parsing: text.span)
        }
    }

    /// A public key in the same forms.
    package func publicKey(_ text: ArraySlice<UInt8>) throws(EvaluationError) -> PublicKey {
        try key(text, at: \.publicKeys, jwk: JWK.publicKey) { text throws(CryptographyError) in
            try text.count == 32 ? PublicKey(ed25519: text.span) : PublicKey(parsing: text.span)
        }
    }

    private func key<Key: Sendable>(
        _ text: ArraySlice<UInt8>, at place: any WritableKeyPath<Store, [[UInt8]: Key]> & Sendable,
        jwk: (ArraySlice<UInt8>) throws(EvaluationError) -> Key,
        other: (ArraySlice<UInt8>) throws(CryptographyError) -> Key
    ) throws(EvaluationError) -> Key {
        let digest = Digest.hash(.sha256, text.span)
        if let known = store.withLock({ $0[keyPath: place][digest] }) { return known }
        let key: Key
        if JWK.isOne(text), text.count != 32 {
            key = try jwk(text)
        } else {
            do throws(CryptographyError) {
                key = try other(text)
            } catch {
                throw EvaluationError(.failed, error.description)
            }
        }
        store.withLock { store in
            if store[keyPath: place].count >= KeyCache.limit { store[keyPath: place] = [:] }
            store[keyPath: place][digest] = key
        }
        return key
    }
}
