/// What a key is for.
package enum KeyKind: Hashable, Sendable, CustomStringConvertible {
    case rsa(bits: Int)
    case p256
    case p384
    case p521
    /// The curve of ES256K (RFC 8812).
    case secp256k1
    /// The curve of GB/T 32918, and the signature that goes with it.
    case sm2
    case ed25519

    package var description: String {
        switch self {
        case .rsa(let bits): "RSA \(bits)"
        case .p256: "EC P-256"
        case .p384: "EC P-384"
        case .p521: "EC P-521"
        case .secp256k1: "EC secp256k1"
        case .sm2: "SM2"
        case .ed25519: "Ed25519"
        }
    }

    /// The curves by the names that JSON Web Keys give them (RFC 7518 6.2.1.1, RFC 8812); `SM2` is ours.
    package static func curve(named name: String) -> KeyKind? {
        switch name {
        case "P-256": .p256
        case "P-384": .p384
        case "P-521": .p521
        case "secp256k1": .secp256k1
        case "SM2": .sm2
        default: nil
        }
    }

    /// The reverse of `curve(named:)`; `nil` for a key that is on none of them.
    package var curveName: String? {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        case .secp256k1: "secp256k1"
        case .sm2: "SM2"
        case .rsa, .ed25519: nil
        }
    }

    /// Bytes of a coordinate, and of r and of s in the raw form of a signature.
    package var fieldBytes: Int? {
        switch self {
        case .p256, .secp256k1, .sm2: 32
        case .p384: 48
        case .p521: 66
        case .rsa, .ed25519: nil
        }
    }

    /// The curve's OBJECT IDENTIFIER in DER.
    var curveIdentifier: [UInt8] {
        switch self {
        case .p256: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        case .p384: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
        case .p521: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
        case .secp256k1: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x0A]
        case .sm2: [0x06, 0x08, 0x2A, 0x81, 0x1C, 0xCF, 0x55, 0x01, 0x82, 0x2D]
        case .rsa, .ed25519: []
        }
    }
}
