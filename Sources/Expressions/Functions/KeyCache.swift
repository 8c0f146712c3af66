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
        let digest = Digest.hash(.sha256, text.span)
        if let known = store.withLock({ $0.privateKeys[digest] }) { return known }
        let key: PrivateKey
        if JWK.isOne(text), text.count != 32 {
            key = try JWK.privateKey(text)
        } else {
            key = try readPrivateKey(text)
        }
        store.withLock { store in
            if store.privateKeys.count >= KeyCache.limit { store.privateKeys = [:] }
            store.privateKeys[digest] = key
        }
        return key
    }

    private func readPrivateKey(_ text: ArraySlice<UInt8>) throws(EvaluationError) -> PrivateKey {
        do throws(CryptographyError) {
            return try text.count == 32 ? PrivateKey(ed25519Seed: text.span) : PrivateKey(parsing: text.span)
        } catch {
            throw EvaluationError(.failed, error.description)
        }
    }

    /// A public key in the same forms.
    package func publicKey(_ text: ArraySlice<UInt8>) throws(EvaluationError) -> PublicKey {
        let digest = Digest.hash(.sha256, text.span)
        if let known = store.withLock({ $0.publicKeys[digest] }) { return known }
        let key: PublicKey
        if JWK.isOne(text), text.count != 32 {
            key = try JWK.publicKey(text)
        } else {
            key = try readPublicKey(text)
        }
        store.withLock { store in
            if store.publicKeys.count >= KeyCache.limit { store.publicKeys = [:] }
            store.publicKeys[digest] = key
        }
        return key
    }

    private func readPublicKey(_ text: ArraySlice<UInt8>) throws(EvaluationError) -> PublicKey {
        do throws(CryptographyError) {
            return try text.count == 32 ? PublicKey(ed25519: text.span) : PublicKey(parsing: text.span)
        } catch {
            throw EvaluationError(.failed, error.description)
        }
    }
}
