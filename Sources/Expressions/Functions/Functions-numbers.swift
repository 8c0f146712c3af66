import Bytes
import Cryptography

/// Keys from their numbers, and SM2, whose keys mostly come so.
extension FunctionTable {
    static let keyNumbers: [Function] =
        [
            Function(
                "rsa.public(string|bytes, string|bytes|int) -> bytes",
                summary:
                    "An RSA public key of modulus and exponent, for `rsa.encrypt` and the like: each as hexadecimal text, "
                    + "as bytes (`base64.decode(n)`), the exponent also as a number.",
                example: "rsa.public('c0ffee' + 'ab'.padEnd(250, '1'), '10001') == "
                    + "rsa.public(hex.decode('c0ffee' + 'ab'.padEnd(250, '1')), 65537)",
                body: .binary { modulus, exponent throws(EvaluationError) in
                    let (modulus, exponent) = (try number(modulus), try number(exponent))
                    let key = try reporting { () throws(CryptographyError) in
                        try PublicKey(.rsa(modulus: modulus, exponent: exponent))
                    }
                    return .bytes(key.subjectPublicKeyInfo[...])
                }),
            Function(
                "ec.public(string, string|bytes) -> bytes",
                summary:
                    "A public key of the name of a curve (`P-256`, `P-384`, `P-521`, `secp256k1`, `SM2`) and a point: x and "
                    + "y, with or without `04` before them, as hexadecimal text or bytes.",
                isPure: false,
                body: .binary { name, point throws(EvaluationError) in
                    let (curve, size) = try curve(name)
                    var digits = try number(point)
                    if digits.count == 2 * size + 1, digits[0] == 0x04 { digits.removeFirst() }
                    guard digits.count == 2 * size else { throw .argument("a point of this curve") }
                    let (x, y) = (Array(digits.prefix(size)), Array(digits.suffix(size)))
                    let key = try reporting { () throws(CryptographyError) in try PublicKey(.point(curve, x: x, y: y)) }
                    return .bytes(key.subjectPublicKeyInfo[...])
                }),
            Function(
                "ec.private(string, string|bytes) -> bytes",
                summary: "A private key of the name of a curve and its number, as hexadecimal text or bytes.",
                isPure: false,
                body: .binary { name, secret throws(EvaluationError) in
                    let (curve, size) = try curve(name)
                    let digits = try number(secret)
                    guard !digits.isEmpty, digits.count <= size else { throw .argument("a number of this curve") }
                    let d = [UInt8](repeating: 0, count: size - digits.count) + digits
                    return .bytes(
                        try reporting { () throws(CryptographyError) in try PrivateKey.document(curve, d: d) }[...])
                }),
        ] + sm2

    private static let sm2: [Function] = [
        sm2Signing("sm2.sign", "as r and s", .raw), sm2Signing("sm2.signDer", "as DER", .der),
        sm2Verifying("sm2.verify", "as r and s", .raw), sm2Verifying("sm2.verifyDer", "as DER", .der),
    ]

    /// What nearly everybody uses (GM/T 0009).
    private static let identity = Array("1234567812345678".utf8)

    private static func sm2Signing(_ name: String, _ form: String, _ format: SignatureScheme.Format) -> Function {
        Function(
            "\(name)(string|bytes, string|bytes) -> bytes",
            "\(name)(string|bytes, string|bytes, string|bytes) -> bytes",
            summary:
                "SM2 signature with SM3 \(form), of private key and message; then the signer's identity "
                + "(`1234567812345678`).",
            isPure: false,
            body: .variadic { values throws(EvaluationError) in
                let identity = values.count > 2 ? Array(try values[2].requireContents()) : identity
                return try sign(values[0], values[1], .sm2(identity: identity, format))
            })
    }

    private static func sm2Verifying(_ name: String, _ form: String, _ format: SignatureScheme.Format) -> Function {
        Function(
            "\(name)(string|bytes, string|bytes, bytes) -> bool",
            "\(name)(string|bytes, string|bytes, bytes, string|bytes) -> bool",
            summary:
                "Whether the signature is right (SM2 \(form)), of public key, message and signature; then the signer's "
                + "identity.",
            isPure: false,
            body: .variadic { values throws(EvaluationError) in
                let identity = values.count > 3 ? Array(try values[3].requireContents()) : identity
                return try verify(values, .sm2(identity: identity, format))
            })
    }

    private static func curve(_ name: Value) throws(EvaluationError) -> (kind: KeyKind, size: Int) {
        let text = String(decoding: try name.requireString(), as: UTF8.self)
        guard let curve = KeyKind.curve(named: text), let size = curve.fieldBytes else {
            throw .argument("a curve: P-256, P-384, P-521, secp256k1 or SM2")
        }
        return (curve, size)
    }

    /// Bytes as they are, text as hexadecimal digits (an odd number of them too), an int as itself.
    private static func number(_ value: Value) throws(EvaluationError) -> [UInt8] {
        if let number = value.int {
            guard number > 0 else { throw .argument("a positive number") }
            return (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * Int64($0))) }
        }
        guard let text = value.string else { return Array(try value.requireContents()) }
        let digits = text.count % 2 == 0 ? Array(text) : [0x30] + text
        guard let bytes = Hex.decode(digits.span), !bytes.isEmpty else { throw .argument("hex: digits 0-9 and a-f") }
        return bytes
    }
}
