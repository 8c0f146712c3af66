import Cryptography

/// Keys from passwords and from other keys. They run where everything runs: what takes long holds up every request.
extension FunctionTable {
    static let derivations: [Function] =
        [DigestAlgorithm.sha1, .sha256, .sha384, .sha512, .sm3].map(pbkdf2)
        + [DigestAlgorithm.sha1, .sha256, .sha384, .sha512].map(hkdf) + [scrypt]

    /// Steps of one iteration, for each digest that it computes.
    private static func iterationSteps(_ digest: DigestAlgorithm) -> Int { digest == .sm3 ? 32 : 16 }
    /// Steps of one block of scrypt, for N times r times p.
    private static let blockSteps = 7

    private static func pbkdf2(_ digest: DigestAlgorithm) -> Function {
        Function(
            "pbkdf2.\(digest.name)(string|bytes, string|bytes, int, int) -> bytes",
            summary:
                "Key of password, salt, number of iterations and number of bytes (PBKDF2 with HMAC-\(digest.name), RFC 8018). "
                + "An iteration takes \(iterationSteps(digest)) of the evaluation's steps, for each digest that the bytes take.",
            example: "size(pbkdf2.\(digest.name)('password', 'salt', 10, 20)) == 20",
            body: .metered { values, meter throws(EvaluationError) in
                let (password, salt) = (try values[0].requireContents(), try values[1].requireContents())
                let (iterations, count) = (try values[2].requireInt(), try values[3].requireInt())
                guard iterations > 0, count > 0, count <= 4096 else { throw .argument("iterations or bytes") }
                let digests = (count + digest.byteCount - 1) / digest.byteCount
                guard iterations <= Int(Int32.max) else { throw EvaluationError(.tooLarge) }
                try meter.charge(iterations * digests * iterationSteps(digest))
                return .bytes(
                    try reporting { () throws(CryptographyError) in
                        try KeyDerivation.pbkdf2(
                            digest, password: password.span, salt: salt.span, iterations: iterations, count: count)
                    }[...])
            })
    }

    private static func hkdf(_ digest: DigestAlgorithm) -> Function {
        Function(
            "hkdf.\(digest.name)(string|bytes, string|bytes, string|bytes, int) -> bytes",
            summary: "Key of key, salt (empty: none), info and number of bytes (HKDF with \(digest.name), RFC 5869).",
            example: "size(hkdf.\(digest.name)('key', 'salt', 'info', 42)) == 42",
            body: .metered { values, meter throws(EvaluationError) in
                let (key, salt) = (try values[0].requireContents(), try values[1].requireContents())
                let (info, count) = (try values[2].requireContents(), try values[3].requireInt())
                guard 0...8160 ~= count else { throw .argument("number of bytes") }
                // Each block of the output digests the info again.
                try meter.charge((count / digest.byteCount + 1) * (info.count / 16 + 20))
                let output = KeyDerivation.hkdf(
                    digest, key: key.span, salt: salt.span, info: Array(info), count: count)
                guard let output else { throw .argument("number of bytes") }
                return .bytes(output[...])
            })
    }

    private static let scrypt = Function(
        "scrypt(string|bytes, string|bytes, int, int, int, int) -> bytes",
        summary:
            "Key of password, salt, N (a power of two), r, p and number of bytes (scrypt, RFC 7914). At most 64 MiB; N times "
            + "r times p times \(blockSteps) of the evaluation's steps.",
        example: "hex.encode(scrypt('', '', 16, 1, 1, 8)) == '77d6576238657b20'",
        body: .metered { values, meter throws(EvaluationError) in
            let (password, salt) = (try values[0].requireContents(), try values[1].requireContents())
            let (n, r) = (try values[2].requireInt(), try values[3].requireInt())
            let (p, count) = (try values[4].requireInt(), try values[5].requireInt())
            guard n > 1, n & (n - 1) == 0, r > 0, p > 0, count > 0, count <= 4096 else {
                throw .argument("N, r, p or bytes")
            }
            guard n <= 1 << 20, r <= 1 << 10, p <= 1 << 10, n * r <= 1 << 19 else { throw EvaluationError(.tooLarge) }
            try meter.charge(n * r * p * blockSteps)
            return .bytes(
                try reporting { () throws(CryptographyError) in
                    try KeyDerivation.scrypt(
                        password: password.span, salt: salt.span, n: UInt64(n), r: UInt64(r), p: UInt64(p),
                        memory: 96 << 20, count: count)
                }[...])
        })
}
