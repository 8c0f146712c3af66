import COpenSSL
import Synchronization

/// Fetched ciphers: fetching by name costs a locked look-up and several mallocs in OpenSSL 3.
final class CipherMethods: Sendable {
    static let shared = CipherMethods()
    private struct Name: Hashable {
        var algorithm: CipherAlgorithm
        var keyBytes: Int
    }
    private let known = Mutex<[Name: SharedHandle]>([:])

    /// `nil` when the library has no such cipher. There are a few dozen at most, kept for the life of the process.
    func method(_ algorithm: CipherAlgorithm, keyBytes: Int) -> SharedHandle? {
        known.withLock { known in
            let name = Name(algorithm: algorithm, keyBytes: keyBytes)
            if let found = known[name] { return found }
            let text = algorithm.libraryName(keyBytes: keyBytes)
            guard let fetched = unsafe text.withCString({ unsafe EVP_CIPHER_fetch(nil, $0, nil) }) else { return nil }
            let handle = unsafe SharedHandle(fetched)
            known[name] = handle
            return handle
        }
    }
}
