import Bytes
import COpenSSL

/// Encryption with a shared key.
package enum Cipher {
    /// What fills the last block (CBC and ECB).
    package enum Padding: String, Sendable, CaseIterable {
        /// RFC 5652 6.3: n bytes of value n, at least one.
        case pkcs7
        /// Zeros up to a whole block, none when it is whole already; taken off again at the end of what is decrypted.
        case zero
        /// The text must fill whole blocks.
        case none
    }

    static let tagBytes = 16

    /// - Parameters:
    ///   - vector: the initial vector; empty for ECB.
    ///   - associated: covered by the tag, not encrypted; only with authentication.
    /// - Returns: the text, and behind it the tag of 16 bytes where the mode has one.
    /// Errors: `.unsuitableKey` (a key or a vector of the wrong size), `.encryptionFailed`.
    package static func encrypt(
        _ algorithm: CipherAlgorithm, key: Span<UInt8>, vector: Span<UInt8>, _ text: Span<UInt8>,
        padding: Padding = .pkcs7, associated: Span<UInt8> = Span()
    ) throws(CryptographyError) -> [UInt8] {
        let run = try CipherRun(algorithm, key: key, vector: vector, encrypting: true, padding: padding)
        if algorithm.mode == .authenticated { try run.associate(associated) }
        var output: [UInt8] = []
        if algorithm.isPadded, padding == .zero {
            var whole: [UInt8] = []
            whole.append(copying: text)
            while whole.count % algorithm.blockBytes != 0 { whole.append(0) }
            try run.finish(whole.span, into: &output)
        } else {
            try run.finish(text, into: &output)
        }
        if algorithm.mode == .authenticated { output += try run.tag() }
        return output
    }

    /// The reverse. Errors: `.unsuitableKey`; `.decryptionFailed` for whatever else is wrong.
    package static func decrypt(
        _ algorithm: CipherAlgorithm, key: Span<UInt8>, vector: Span<UInt8>, _ text: Span<UInt8>,
        padding: Padding = .pkcs7, associated: Span<UInt8> = Span()
    ) throws(CryptographyError) -> [UInt8] {
        let run = try CipherRun(algorithm, key: key, vector: vector, encrypting: false, padding: padding)
        var output: [UInt8] = []
        if algorithm.mode == .authenticated {
            guard text.count >= tagBytes else { throw CryptographyError(.decryptionFailed, "too short") }
            let end = text.count - tagBytes
            try run.expect(tag: text.extracting(end..<text.count))
            try run.associate(associated)
            try run.finish(text.extracting(0..<end), into: &output)
        } else {
            try run.finish(text, into: &output)
        }
        if algorithm.isPadded, padding == .zero { while output.last == 0 { output.removeLast() } }
        return output
    }
}
