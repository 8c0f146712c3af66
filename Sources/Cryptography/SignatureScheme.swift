/// How a signature is made.
package enum SignatureScheme: Hashable, Sendable, CustomStringConvertible {
    /// How r and s are written.
    package enum Format: Sendable {
        /// ASN.1 SEQUENCE (X9.62, TLS).
        case der
        /// r and s side by side, each as long as the field (JOSE, RFC 9421, IEEE P1363).
        case raw
    }

    /// RSASSA-PKCS1-v1_5.
    case rsaPKCS1(DigestAlgorithm)
    /// RSASSA-PSS; MGF1 with the same digest and a salt as long as the digest (RFC 9421 3.3.1, RFC 7518 3.5).
    case rsaPSS(DigestAlgorithm)
    case ecdsa(DigestAlgorithm, Format)
    /// Pure Ed25519 over the message (RFC 8032).
    case ed25519

    package var description: String {
        switch self {
        case .rsaPKCS1(let digest): "rsa-v1_5-\(digest.name)"
        case .rsaPSS(let digest): "rsa-pss-\(digest.name)"
        case .ecdsa(let digest, _): "ecdsa-\(digest.name)"
        case .ed25519: "ed25519"
        }
    }

    func check(_ kind: KeyKind) throws(CryptographyError) {
        switch (self, kind) {
        case (.rsaPKCS1, .rsa), (.rsaPSS, .rsa), (.ecdsa, .p256), (.ecdsa, .p384), (.ed25519, .ed25519): return
        default: throw CryptographyError(.unsuitableKey, "\(self) with \(kind)")
        }
    }

    var digest: DigestAlgorithm? {
        switch self {
        case .rsaPKCS1(let digest), .rsaPSS(let digest), .ecdsa(let digest, _): digest
        case .ed25519: nil
        }
    }
}
