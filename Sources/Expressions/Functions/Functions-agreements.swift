import Bytes
import Cryptography

/// Secrets that two keys share, and numbers modulo another (SRP, Diffie-Hellman).
extension FunctionTable {
    static let sharedSecrets: [Function] = agreements + modular

    private static let agreements: [Function] = [
        Function(
            "ecdh(string|bytes, string|bytes) -> bytes",
            summary:
                "The secret that a private key and somebody's public key share (x of the point; P-256, P-384, P-521, "
                + "secp256k1). Make a key of it with `hkdf`.",
            example: "ecdh(ec.private('P-256', '02'), ec.private('P-256', '03')) == "
                + "ecdh(ec.private('P-256', '03'), ec.private('P-256', '02'))",
            isPure: false,
            body: .binary { key, peer throws(EvaluationError) in
                let key = try KeyCache.shared.privateKey(try key.requireContents())
                let peer = try anyPublic(peer)
                return .bytes(
                    try reporting { () throws(CryptographyError) in try KeyAgreement.ecdh(key, peer) }[...])
            }),
        Function(
            "x25519(bytes, bytes) -> bytes",
            summary: "The secret that a private and a public X25519 key share (RFC 7748): 32 bytes each.",
            example: "x25519(hash.sha256('a'), x25519.public(hash.sha256('b'))) == "
                + "x25519(hash.sha256('b'), x25519.public(hash.sha256('a')))",
            body: .binary { key, peer throws(EvaluationError) in
                let (key, peer) = (try key.requireContents(), try peer.requireContents())
                return .bytes(
                    try reporting { () throws(CryptographyError) in
                        try KeyAgreement.x25519(key.span, peer.span)
                    }[...])
            }),
        Function(
            "x25519.public(bytes) -> bytes", summary: "The public X25519 key of a private one (any 32 bytes).",
            example: "size(x25519.public(random.bytes(32))) == 32",
            body: .unary { key throws(EvaluationError) in
                let key = try key.requireContents()
                return .bytes(
                    try reporting { () throws(CryptographyError) in try KeyAgreement.x25519Public(of: key.span) }[...])
            }),
    ]

    private static let modular: [Function] = [
        modulo(
            "powmod", .power, "The first to the power of the second", "b'\\x04', b'\\x0d', b'\\x01\\xf1'",
            "b'\\x01\\xbd'"),
        modulo("mulmod", .product, "The product of two numbers", "b'\\x07', b'\\x08', b'\\x0a'", "b'\\x06'"),
        modulo("addmod", .sum, "The sum of two numbers", "b'\\x07', b'\\x08', b'\\x0a'", "b'\\x05'"),
        modulo("submod", .difference, "The first number less the second", "b'\\x07', b'\\x08', b'\\x0a'", "b'\\x09'"),
    ]

    private static func modulo(
        _ name: String, _ operation: ModularNumber.Operation, _ summary: String, _ numbers: String, _ result: String
    ) -> Function {
        Function(
            "bigint.\(name)(bytes, bytes, bytes) -> bytes",
            summary:
                "\(summary), modulo the last (SRP, Diffie-Hellman): each as bytes, the first one the most significant, "
                + "at most \(ModularNumber.mostBytes); as many bytes as the last one has.",
            example: "bigint.\(name)(\(numbers)) == \(result)",
            body: .metered { values, meter throws(EvaluationError) in
                let (a, b) = (try values[0].requireContents(), try values[1].requireContents())
                let modulus = try values[2].requireContents()
                if operation == .power, modulus.count <= ModularNumber.mostBytes, b.count <= ModularNumber.mostBytes {
                    // About 30 ms for 512 bytes each.
                    try meter.charge(modulus.count * modulus.count * b.count / 150)
                }
                guard let result = ModularNumber.compute(operation, a.span, b.span, modulo: modulus.span) else {
                    throw .argument("numbers of at most \(ModularNumber.mostBytes) bytes, and a modulus that is not 0")
                }
                return .bytes(result[...])
            })
    }
}
