import Cryptography
import JSONBytes

/// JSON Web Tokens and Keys.
extension FunctionTable {
    private static let algorithmNames = JOSE.Algorithm.allCases.map(\.rawValue).joined(separator: ", ")

    static let jose: [Function] = [
        Function(
            "jwt.sign(string, string|bytes, map|string|bytes) -> string",
            "jwt.sign(string, string|bytes, map|string|bytes, map) -> string",
            summary:
                "Compact JWT (RFC 7519) of algorithm, key, claims, and header members beside `alg` (none: `typ` is "
                + "`JWT`). Algorithms: \(algorithmNames). A key is PEM, JWK, or the bytes of the secret.",
            example: "jwt.sign('HS256', 'k', {'a': 1}) == "
                + "'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJhIjoxfQ.HYfzqBpLbCOo950TeHdytWxg8UHtAmEQCW7ITVky6Gc'",
            isPure: false,
            body: .variadic { values throws(EvaluationError) in
                let name = String(decoding: try values[0].requireString(), as: UTF8.self)
                guard let algorithm = JOSE.Algorithm(rawValue: name) else {
                    throw .argument("algorithm: one of \(algorithmNames)")
                }
                var header = Array("{\"alg\":\"\(name)\"".utf8)
                if values.count > 3 {
                    var members: [UInt8] = []
                    values[3].appendJSON(to: &members)
                    guard members.first == 0x7B else { throw .overload(values[3]) }
                    if members.count > 2 { header.append(0x2C) }
                    header.append(contentsOf: members.dropFirst())
                } else {
                    header.append(contentsOf: ",\"typ\":\"JWT\"}".utf8)
                }
                var payload: [UInt8] = []
                if let text = values[2].contents { payload = Array(text) } else { values[2].appendJSON(to: &payload) }
                let key = try values[1].requireContents()
                return .text(try JOSE.compact(algorithm, key: key, header: header, payload: payload))
            }),
        Function(
            "jwt.verify(string, string|bytes, string) -> bool",
            summary:
                "Whether the signature of a compact JWT is right, of algorithm, public key or secret, and token. Looks at "
                + "no claim; a token that names another algorithm is not right.",
            example: "jwt.verify('HS256', 'k', jwt.sign('HS256', 'k', {'a': 1}))", isPure: false,
            body: .variadic { values throws(EvaluationError) in
                let name = String(decoding: try values[0].requireString(), as: UTF8.self)
                guard let algorithm = JOSE.Algorithm(rawValue: name) else {
                    throw .argument("algorithm: one of \(algorithmNames)")
                }
                return .bool(
                    try JOSE.verifies(try values[2].requireString(), algorithm, key: try values[1].requireContents()))
            }),
        Function(
            "jwk.public(string|bytes) -> string", "jwk.public(string|bytes, map) -> string",
            summary:
                "The public half of a private or public key (PEM, JWK) as JWK, with the members of RFC 7638 and those of a "
                + "map behind them: `jwk.public(key, {'kid': 'k1', 'use': 'sig'})`.",
            isPure: false,
            body: .variadic { values throws(EvaluationError) in
                var text = try JWK.canonical(try anyPublic(values[0]))
                guard values.count > 1 else { return .text(text) }
                var members: [UInt8] = []
                values[1].appendJSON(to: &members)
                guard members.first == 0x7B else { throw .overload(values[1]) }
                if members.count > 2 { text[text.count - 1] = 0x2C } else { text.removeLast() }
                return .text(text + members.dropFirst())
            }),
        Function(
            "jwk.thumbprint(string|bytes) -> string",
            summary: "Thumbprint of a key (RFC 7638 with SHA-256), DPoP's `jkt`.",
            isPure: false,
            body: .unary { key throws(EvaluationError) in .text(try JWK.thumbprint(try anyPublic(key))) }),
    ]

    static func anyPublic(_ key: Value) throws(EvaluationError) -> PublicKey {
        let text = try key.requireContents()
        if let key = try? KeyCache.shared.privateKey(text) { return key.publicKey }
        return try KeyCache.shared.publicKey(text)
    }
}
