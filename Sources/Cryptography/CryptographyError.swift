import COpenSSL

/// Why a key or a signature could not be made. Holds no key bytes: `reason` is OpenSSL's own fixed text.
package struct CryptographyError: Error, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// Neither PEM nor DER nor base 64 of DER, or a kind of key that this program does not know.
        case unreadableKey
        /// The PEM file needs a passphrase that was not given or is wrong.
        case encryptedKey
        /// The scheme does not fit the key (RSA signature with an EC key, ...).
        case unsuitableKey
        case signingFailed
        case encryptionFailed
        /// Deliberately without detail: a padding oracle lives on differences.
        case decryptionFailed
    }

    package let kind: Kind
    /// Text for people, from OpenSSL's reason table or from here.
    package let reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    package var description: String {
        switch kind {
        case .unreadableKey: "key cannot be read: \(reason)"
        case .encryptedKey: "key is encrypted: \(reason)"
        case .unsuitableKey: "key does not fit: \(reason)"
        case .signingFailed: "signing failed: \(reason)"
        case .encryptionFailed: "encryption failed: \(reason)"
        case .decryptionFailed: "decryption failed"
        }
    }

    /// Takes the newest entry of OpenSSL's error queue and empties the queue (an old entry must not explain a later error).
    static func last(_ kind: Kind) -> CryptographyError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let text = unsafe ERR_reason_error_string(code) else {
            return CryptographyError(kind, "no reason given")
        }
        return unsafe CryptographyError(kind, String(cString: text))
    }
}
