import Cryptography
import JSONBytes

/// Compact JSON Web Signatures (RFC 7515 7.1).
package enum JOSE {
    /// `alg` values (RFC 7518 3.1, RFC 8037, RFC 8812); not `none`.
    package enum Algorithm: String, Sendable, CaseIterable {
        case HS256, HS384, HS512, RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512
        case ES256K, EdDSA

        private var digest: DigestAlgorithm {
            if rawValue.hasSuffix("384") { return .sha384 }
            return rawValue.hasSuffix("512") ? .sha512 : .sha256
        }

        /// `nil`: a shared secret.
        fileprivate var scheme: SignatureScheme? {
            switch self {
            case .HS256, .HS384, .HS512: nil
            case .RS256, .RS384, .RS512: .rsaPKCS1(digest)
            case .PS256, .PS384, .PS512: .rsaPSS(digest)
            case .ES256, .ES384, .ES512, .ES256K: .ecdsa(digest, .raw)
            case .EdDSA: .ed25519
            }
        }

        /// Each ES algorithm is bound to its curve (RFC 7518 3.4).
        fileprivate func fits(_ kind: KeyKind) -> Bool {
            switch self {
            case .ES256: kind == .p256
            case .ES384: kind == .p384
            case .ES512: kind == .p521
            case .ES256K: kind == .secp256k1
            default: true
            }
        }

        fileprivate func mac(_ key: ArraySlice<UInt8>, _ message: [UInt8]) -> [UInt8] {
            HMAC.authenticate(digest, key: key.span, message: message.span)
        }
    }

    /// `header.payload.signature`.
    /// - Parameters:
    ///   - key: private key (PEM, DER, JWK), or the shared secret (bytes, or a JWK of type `oct`).
    ///   - header: JSON text.
    package static func compact(
        _ algorithm: Algorithm, key: ArraySlice<UInt8>, header: [UInt8], payload: [UInt8]
    ) throws(EvaluationError) -> [UInt8] {
        var text = Base64.encode(header.span, alphabet: .url, padding: false)
        text.append(UInt8(ascii: "."))
        text.append(contentsOf: Base64.encode(payload.span, alphabet: .url, padding: false))
        let signature = try sign(algorithm, key: key, text)
        text.append(UInt8(ascii: "."))
        text.append(contentsOf: Base64.encode(signature.span, alphabet: .url, padding: false))
        return text
    }

    /// Whether a compact signature is right. A token that is none, or that names another algorithm, is not.
    /// - Parameter key: public key (PEM, DER, JWK), or the shared secret.
    package static func verifies(
        _ token: ArraySlice<UInt8>, _ algorithm: Algorithm, key: ArraySlice<UInt8>
    ) throws(EvaluationError) -> Bool {
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { return false }
        let (first, last) = (parts[0], parts[2])
        guard let header = Base64.decode(first.span, alphabet: .url, padding: .none),
            let signature = Base64.decode(last.span, alphabet: .url, padding: .none),
            let root = try? JSONDocument(parsing: header).root,
            // A token must not choose how it is looked at (RFC 8725 3.1).
            root.member("alg")?.string == Array(algorithm.rawValue.utf8)
        else { return false }
        let message = Array(token[..<parts[1].endIndex])
        guard let scheme = algorithm.scheme else {
            let secret = JWK.secret(key) ?? Array(key)
            guard !secret.isEmpty else { throw EvaluationError(.failed, "the secret is empty") }
            let expected = algorithm.mac(secret[...], message)
            return ConstantTime.equal(expected.span, signature.span)
        }
        let parsed = try KeyCache.shared.publicKey(key)
        guard algorithm.fits(parsed.kind) else {
            throw EvaluationError(.failed, "\(algorithm.rawValue) with \(parsed.kind)")
        }
        do throws(CryptographyError) {
            return try parsed.verify(signature.span, over: message.span, scheme)
        } catch {
            throw EvaluationError(.failed, error.description)
        }
    }

    private static func sign(
        _ algorithm: Algorithm, key: ArraySlice<UInt8>, _ message: [UInt8]
    ) throws(EvaluationError) -> [UInt8] {
        guard let scheme = algorithm.scheme else {
            let secret = JWK.secret(key) ?? Array(key)
            // An empty secret would be a forgery that anybody can repeat.
            guard !secret.isEmpty else { throw EvaluationError(.failed, "the secret is empty") }
            return algorithm.mac(secret[...], message)
        }
        let parsed = try KeyCache.shared.privateKey(key)
        guard algorithm.fits(parsed.kind) else {
            throw EvaluationError(.failed, "\(algorithm.rawValue) with \(parsed.kind)")
        }
        do throws(CryptographyError) {
            return try parsed.sign(message.span, scheme)
        } catch {
            throw EvaluationError(.failed, error.description)
        }
    }
}
