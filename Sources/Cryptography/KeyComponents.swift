/// The numbers of a public key, big endian, as a JSON Web Key has them (RFC 7518 6, RFC 8037).
package enum KeyComponents: Equatable, Sendable {
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// Coordinates as long as the field.
    case p256(x: [UInt8], y: [UInt8])
    case p384(x: [UInt8], y: [UInt8])
    case ed25519([UInt8])

    /// AlgorithmIdentifier of an EC key on this curve.
    static func curve(_ kind: KeyKind) -> [UInt8] {
        let publicKey: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
        return DER.sequence([publicKey, curveName(kind)])
    }

    static func curveName(_ kind: KeyKind) -> [UInt8] {
        kind == .p384
            ? [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22] : [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    }
}

extension PublicKey {
    /// Error: `.unreadableKey`.
    package convenience init(_ components: KeyComponents) throws(CryptographyError) {
        switch components {
        case .rsa(let modulus, let exponent):
            let der = DER.sequence([DER.integer(modulus), DER.integer(exponent)])
            try self.init(parsing: der.span)
        case .p256(let x, let y): try self.init(point: x, y, .p256)
        case .p384(let x, let y): try self.init(point: x, y, .p384)
        case .ed25519(let bytes): try self.init(ed25519: bytes.span)
        }
    }

    private convenience init(point x: [UInt8], _ y: [UInt8], _ kind: KeyKind) throws(CryptographyError) {
        guard let size = kind.fieldBytes, x.count == size, y.count == size else {
            throw CryptographyError(.unreadableKey, "coordinates of the wrong length")
        }
        // A BIT STRING without unused bits, and an uncompressed point in it (SEC 1 2.3.3).
        let point = DER.element(0x03, [0x00, 0x04] + x + y)
        let der = DER.sequence([KeyComponents.curve(kind), point])
        try self.init(parsing: der.span)
    }

    /// `nil` when the library writes it in a form that is not known here.
    package var components: KeyComponents? {
        let info = subjectPublicKeyInfo
        guard let body = DER.read(0x30, info[...])?.content, let algorithm = DER.read(0x30, body),
            let bits = DER.read(0x03, algorithm.rest)?.content.dropFirst()
        else { return nil }
        switch kind {
        case .ed25519: return bits.count == 32 ? .ed25519(Array(bits)) : nil
        case .p256, .p384:
            guard let size = kind.fieldBytes, bits.count == 2 * size + 1, bits.first == 0x04 else { return nil }
            let (x, y) = (Array(bits.dropFirst().prefix(size)), Array(bits.suffix(size)))
            return kind == .p256 ? .p256(x: x, y: y) : .p384(x: x, y: y)
        case .rsa:
            guard let numbers = DER.read(0x30, bits)?.content, let modulus = DER.read(0x02, numbers),
                let exponent = DER.read(0x02, modulus.rest)
            else { return nil }
            return .rsa(
                modulus: Array(modulus.content.drop { $0 == 0 }), exponent: Array(exponent.content.drop { $0 == 0 }))
        }
    }
}

extension PrivateKey {
    /// An RSA key from its numbers: n, e, d, p, q, dp, dq, qi (RFC 8017 A.1.2). Error: `.unreadableKey`.
    package convenience init(rsa numbers: [[UInt8]]) throws(CryptographyError) {
        guard numbers.count == 8, numbers.allSatisfy({ !$0.isEmpty }) else {
            throw CryptographyError(.unreadableKey, "an RSA key needs n, e, d, p, q, dp, dq and qi")
        }
        let der = DER.sequence([DER.integer([0])] + numbers.map { DER.integer($0) })
        try self.init(parsing: der.span)
    }

    /// An EC key from its number and its point (SEC 1 C.4). Error: `.unreadableKey`.
    package convenience init(curve: KeyKind, d: [UInt8], x: [UInt8], y: [UInt8]) throws(CryptographyError) {
        guard let size = curve.fieldBytes, d.count == size, x.count == size, y.count == size else {
            throw CryptographyError(.unreadableKey, "numbers of the wrong length")
        }
        let point = DER.element(0x03, [0x00, 0x04] + x + y)
        let der = DER.sequence([
            DER.integer([1]), DER.element(0x04, d), DER.element(0xA0, KeyComponents.curveName(curve)),
            DER.element(0xA1, point),
        ])
        try self.init(parsing: der.span)
        // The point is only told, not computed: one that does not belong to the number would sign for nobody.
        let proof: [UInt8] = [0x6A, 0x77, 0x6B]
        let signature = try sign(proof.span, .ecdsa(.sha256, .raw))
        guard try publicKey.verify(signature.span, over: proof.span, .ecdsa(.sha256, .raw)) else {
            throw CryptographyError(.unreadableKey, "x and y do not belong to d")
        }
    }
}
