/// The numbers of a public key, big endian, as a JSON Web Key has them (RFC 7518 6, RFC 8037).
package enum KeyComponents: Equatable, Sendable {
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// A curve and coordinates as long as its field.
    case point(KeyKind, x: [UInt8], y: [UInt8])
    case ed25519([UInt8])

    /// AlgorithmIdentifier of an EC key on this curve.
    static func algorithm(_ curve: KeyKind) -> [UInt8] {
        let publicKey: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
        return DER.sequence([publicKey, curve.curveIdentifier])
    }
}

extension PublicKey {
    /// Error: `.unreadableKey`.
    package convenience init(_ components: KeyComponents) throws(CryptographyError) {
        switch components {
        case .rsa(let modulus, let exponent):
            let der = DER.sequence([DER.integer(modulus), DER.integer(exponent)])
            try self.init(parsing: der.span)
        case .point(let curve, let x, let y):
            guard let size = curve.fieldBytes, x.count == size, y.count == size else {
                throw CryptographyError(.unreadableKey, "coordinates of the wrong length")
            }
            // A BIT STRING without unused bits, and an uncompressed point in it (SEC 1 2.3.3).
            let point = DER.element(0x03, [0x00, 0x04] + x + y)
            let der = DER.sequence([KeyComponents.algorithm(curve), point])
            try self.init(parsing: der.span)
        case .ed25519(let bytes): try self.init(ed25519: bytes.span)
        }
    }

    /// `nil` when the library writes it in a form that is not known here.
    package var components: KeyComponents? {
        let info = subjectPublicKeyInfo
        guard let body = DER.read(0x30, info[...])?.content, let algorithm = DER.read(0x30, body),
            let bits = DER.read(0x03, algorithm.rest)?.content.dropFirst()
        else { return nil }
        switch kind {
        case .ed25519: return bits.count == 32 ? .ed25519(Array(bits)) : nil
        case .p256, .p384, .p521, .secp256k1, .sm2:
            guard let size = kind.fieldBytes, bits.count == 2 * size + 1, bits.first == 0x04 else { return nil }
            return .point(kind, x: Array(bits.dropFirst().prefix(size)), y: Array(bits.suffix(size)))
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
        guard let size = curve.fieldBytes, x.count == size, y.count == size else {
            throw CryptographyError(.unreadableKey, "numbers of the wrong length")
        }
        let der = try Self.document(curve, d: d)
        try self.init(parsing: der.span)
        // The point that the library computed: a key that was told another one would sign for nobody.
        guard publicKey.components == .point(curve, x: x, y: y) else {
            throw CryptographyError(.unreadableKey, "x and y do not belong to d")
        }
    }

    /// PKCS #8 (RFC 5208) of an EC key without its point, which a reader computes. Error: `.unreadableKey`.
    package static func document(_ curve: KeyKind, d: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard let size = curve.fieldBytes, d.count == size else {
            throw CryptographyError(.unreadableKey, "a number of the wrong length")
        }
        let key = DER.sequence([DER.integer([1]), DER.element(0x04, d)])
        return DER.sequence([DER.integer([0]), KeyComponents.algorithm(curve), DER.element(0x04, key)])
    }
}
