import Cryptography

/// Encryption with a shared key: key, message, then the initial vector. A string is its UTF-8 bytes, also as a key.
extension FunctionTable {
    static let ciphers: [Function] =
        [
            cipher("aes", "AES", .aes, "key of 16, 24 or 32 bytes", [.cbc, .ecb, .ctr, .cfb, .ofb, .authenticated]),
            cipher("des", "Triple DES", .des, "key of 16 or 24 bytes, or of 8: plain DES", [.cbc, .ecb]),
            cipher("sm4", "SM4", .sm4, "key of 16 bytes", [.cbc, .ecb, .ctr]),
            cipher("chacha20", "ChaCha20", .chacha20, "key of 32 bytes", [.authenticated]),
        ].flatMap { $0 } + [
            Function(
                "rc4.apply(string|bytes, string|bytes) -> bytes",
                summary: "RC4 of key and message, both ways alike. To drop the beginning, put zeros before the message "
                    + "and cut them off.",
                example: "hex.encode(rc4.apply('Key', 'Plaintext')) == 'bbf316e8d940af0ad3'",
                body: .binary { key, message throws(EvaluationError) in
                    let (key, message) = (try key.requireContents(), try message.requireContents())
                    guard let output = RC4.apply(key: key.span, message.span) else { throw .argument("key") }
                    return .bytes(output[...])
                }),
            Function(
                "cmac.aes(string|bytes, string|bytes) -> bytes",
                summary: "AES-CMAC (RFC 4493) of a key of 16, 24 or 32 bytes and a message: 16 bytes.",
                example: "hex.encode(cmac.aes(hex.decode('2b7e151628aed2a6abf7158809cf4f3c'), '')) == "
                    + "'bb1d6929e95937287fa37d129b756746'",
                body: .binary { key, message throws(EvaluationError) in
                    let (key, message) = (try key.requireContents(), try message.requireContents())
                    return .bytes(
                        try reporting { () throws(CryptographyError) in
                            try CMAC.aes(key: key.span, message: message.span)
                        }[...])
                }),
        ]

    private static func cipher(
        _ name: String, _ title: String, _ family: CipherAlgorithm.Family, _ key: String,
        _ modes: [CipherAlgorithm.Mode]
    ) -> [Function] {
        modes.flatMap { mode -> [Function] in
            let algorithm = CipherAlgorithm(family, mode)
            return [
                crypting(name, title, key, algorithm, encrypting: true),
                crypting(name, title, key, algorithm, encrypting: false),
            ]
        }
    }

    private static func crypting(
        _ name: String, _ title: String, _ key: String, _ algorithm: CipherAlgorithm, encrypting: Bool
    ) -> Function {
        let (suffix, mode) = words(algorithm)
        let verb = encrypting ? "encrypt" : "decrypt"
        var base = "\(name).\(verb)\(suffix)(string|bytes, \(encrypting ? "string|bytes" : "bytes")"
        var summary =
            "\(title), \(mode), \(encrypting ? "of" : "undone, of") \(key), and \(encrypting ? "message" : "ciphertext")"
        if algorithm.mode != .ecb {
            base += ", string|bytes"
            summary += ", and initial vector"
        }
        let signatures: [String]
        switch algorithm.mode {
        case .ecb, .cbc:
            signatures = ["\(base)) -> bytes", "\(base), string) -> bytes"]
            summary += "; then the padding: `pkcs7` (default; also `pkcs5`), `zero` or `none`."
        case .authenticated:
            signatures = ["\(base)) -> bytes", "\(base), string|bytes) -> bytes"]
            summary += "; then data that only the tag covers. The tag (16 bytes) stands at the end."
        case .ctr, .cfb, .ofb:
            signatures = ["\(base)) -> bytes"]
            summary += "."
        }
        return Function(
            signatures, summary: summary, example: example(name, suffix, algorithm),
            body: .variadic { values throws(EvaluationError) in
                try crypt(values, algorithm, encrypting: encrypting)
            })
    }

    private static func words(_ algorithm: CipherAlgorithm) -> (suffix: String, mode: String) {
        switch algorithm.mode {
        case .ecb: ("Ecb", "each block for itself (ECB)")
        case .cbc: ("Cbc", "chained blocks (CBC)")
        case .ctr: ("Ctr", "counter (CTR)")
        case .cfb: ("Cfb", "cipher feedback of whole blocks (CFB)")
        case .ofb: ("Ofb", "output feedback (OFB)")
        case .authenticated:
            algorithm.family == .chacha20 ? ("Poly1305", "with Poly1305 (RFC 8439)") : ("Gcm", "with a tag (GCM)")
        }
    }

    /// What is encrypted decrypts again.
    private static func example(_ name: String, _ suffix: String, _ algorithm: CipherAlgorithm) -> String {
        let key = String("0123456789abcdef0123456789abcdef".prefix(algorithm.keyBytes[0]))
        let vector =
            algorithm.mode == .ecb ? "" : ", '\(String("fedcba9876543210".prefix(algorithm.vectorBytes ?? 12)))'"
        return
            "string(\(name).decrypt\(suffix)('\(key)', \(name).encrypt\(suffix)('\(key)', 'pa55'\(vector))\(vector))) == 'pa55'"
    }

    private static func crypt(
        _ values: [Value], _ algorithm: CipherAlgorithm, encrypting: Bool
    ) throws(EvaluationError) -> Value {
        let (key, message) = (try values[0].requireContents(), try values[1].requireContents())
        guard message.count <= Function.outputLimit else { throw EvaluationError(.tooLarge) }
        var (rest, vector, associated) = (values.dropFirst(2), ArraySlice<UInt8>(), ArraySlice<UInt8>())
        if algorithm.mode != .ecb, let value = rest.popFirst() { vector = try value.requireContents() }
        var padding = Cipher.Padding.pkcs7
        if let last = rest.popFirst() {
            if algorithm.mode == .authenticated {
                associated = try last.requireContents()
            } else {
                let name = String(decoding: try last.requireString(), as: UTF8.self)
                // What Java calls PKCS5Padding is PKCS #7: PKCS #5 knows blocks of 8 bytes only.
                guard let named = Cipher.Padding(rawValue: name == "pkcs5" ? "pkcs7" : name) else {
                    throw .argument("padding: pkcs7, zero or none")
                }
                padding = named
            }
        }
        let (iv, extra, pad) = (vector, associated, padding)
        let output = try reporting { () throws(CryptographyError) in
            encrypting
                ? try Cipher.encrypt(
                    algorithm, key: key.span, vector: iv.span, message.span, padding: pad, associated: extra.span)
                : try Cipher.decrypt(
                    algorithm, key: key.span, vector: iv.span, message.span, padding: pad, associated: extra.span)
        }
        return .bytes(output[...])
    }
}
