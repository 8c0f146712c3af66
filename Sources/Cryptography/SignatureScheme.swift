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
    /// PKCS #1 v1.5 padding around the message itself, without a digest: what Java's "RSA with the private key" does.
    case rsaRaw
    /// RSASSA-PSS; MGF1 with the same digest and a salt as long as the digest (RFC 9421 3.3.1, RFC 7518 3.5).
    case rsaPSS(DigestAlgorithm)
    case ecdsa(DigestAlgorithm, Format)
    /// SM2 with SM3 (GB/T 32918.2); the identity of the signer is part of what is signed.
    case sm2(identity: [UInt8], Format)
    /// Pure Ed25519 over the message (RFC 8032).
    case ed25519

    package var description: String {
        switch self {
        case .rsaPKCS1(let digest): "rsa-v1_5-\(digest.name)"
        case .rsaPSS(let digest): "rsa-pss-\(digest.name)"
        case .rsaRaw: "rsa-raw"
        case .ecdsa(let digest, _): "ecdsa-\(digest.name)"
        case .sm2: "sm2"
        case .ed25519: "ed25519"
        }
    }

    func check(_ kind: KeyKind) throws(CryptographyError) {
        switch (self, kind) {
        case (.rsaPKCS1, .rsa), (.rsaPSS, .rsa), (.rsaRaw, .rsa), (.sm2, .sm2), (.ed25519, .ed25519): return
        case (.ecdsa, .p256), (.ecdsa, .p384), (.ecdsa, .p521), (.ecdsa, .secp256k1): return
        default: throw CryptographyError(.unsuitableKey, "\(self) with \(kind)")
        }
    }

    var digest: DigestAlgorithm? {
        switch self {
        case .rsaPKCS1(let digest), .rsaPSS(let digest), .ecdsa(let digest, _): digest
        case .sm2: .sm3
        case .rsaRaw, .ed25519: nil
        }
    }

    /// How r and s are written; `nil` when the signature is one number.
    var format: Format? {
        switch self {
        case .ecdsa(_, let format), .sm2(_, let format): format
        case .rsaPKCS1, .rsaPSS, .rsaRaw, .ed25519: nil
        }
    }
}
