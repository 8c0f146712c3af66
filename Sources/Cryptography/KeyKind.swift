/// What a key is for.
package enum KeyKind: Equatable, Sendable, CustomStringConvertible {
    case rsa(bits: Int)
    case p256
    case p384
    case ed25519

    package var description: String {
        switch self {
        case .rsa(let bits): "RSA \(bits)"
        case .p256: "EC P-256"
        case .p384: "EC P-384"
        case .ed25519: "Ed25519"
        }
    }

    /// Bytes of r and of s in the raw form of an ECDSA signature.
    var fieldBytes: Int? {
        switch self {
        case .p256: 32
        case .p384: 48
        case .rsa, .ed25519: nil
        }
    }
}
