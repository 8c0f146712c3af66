import Cryptography

/// For each parameter of a function an argument that works, whatever the others are: what a function is tried with as far
/// as its arguments are not known. A function that is not named here is tried only when all of them are.
struct FunctionSamples {
    var values: [Constant]
    /// The places that tell something; `nil`: all.
    var places: [Int]?
    /// Called in the function's place: to decrypt takes what was encrypted.
    var instead: Function?
    /// The place of the argument that the other function takes in another form.
    var unlike: Int?

    init(_ values: [Constant], if places: [Int]? = nil) {
        self.values = values
        self.places = places
    }

    static func samples(for name: String) -> FunctionSamples? {
        if let samples = table[name] { return samples }
        let family = String(name.prefix { $0 != "." })
        if let cipher = cipher(name, family) { return cipher }
        switch family {
        case "pbkdf2": return FunctionSamples([text("p"), text("s"), .int(1), .int(1)], if: [2, 3])
        case "hkdf": return FunctionSamples([text("k"), text("s"), text("i"), .int(1)], if: [3])
        default:
            guard name.hasPrefix("get") else { return nil }
            return FunctionSamples([.timestamp(.start), text("UTC")], if: [1])
        }
    }

    private static func text(_ text: String) -> Constant { .string(ArraySlice(text.utf8)) }

    private static let table: [String: FunctionSamples] = [
        "time.format": FunctionSamples([.timestamp(.start), text("%Y"), text("UTC")], if: [1, 2]),
        "charset.encode": FunctionSamples([text("a"), text("utf-8")], if: [1]),
        "url.encodeExcept": FunctionSamples([text("a"), text("-")], if: [1]),
        "totp": FunctionSamples(
            [.bytes(ArraySlice(repeating: 0x31, count: 20)), .timestamp(.start), .int(6), .int(30), text("sha1")],
            if: [0, 2, 3, 4]),
        "cmac.aes": FunctionSamples([text("0123456789abcdef"), text("")], if: [0]),
        "rc4.apply": FunctionSamples([text("k"), text("")], if: [0]),
        "scrypt": FunctionSamples([text("p"), text("s"), .int(2), .int(1), .int(1), .int(1)], if: [2, 3, 4, 5]),
        // The widest curve takes every number.
        "ec.private": FunctionSamples([text("P-521"), text("01")]),
        "ec.public": ofCurve,
        "rsa.public": FunctionSamples([text("c0ffee" + String(repeating: "1", count: 250)), .int(65_537)]),
        "bytes.ofInt": FunctionSamples([.int(1), .int(1)], if: [1]),
        "bytes.xor": FunctionSamples([text("a"), text("b")], if: [1]),
        "padStart": FunctionSamples([text("a"), .int(1), text("x")], if: [1, 2]),
        "padEnd": FunctionSamples([text("a"), .int(1), text("x")], if: [1, 2]),
        "left": FunctionSamples([text("a"), .int(1)], if: [1]),
        "right": FunctionSamples([text("a"), .int(1)], if: [1]),
        "regex.extract": FunctionSamples([text(""), text("a")], if: [1]),
        "regex.extractAll": FunctionSamples([text(""), text("a")], if: [1]),
        "regex.replace": FunctionSamples([text(""), text("(((((((((a)))))))))"), text(""), .int(1)], if: [1, 2]),
    ]

    /// A number does for every curve, and no point does.
    private static var ofCurve: FunctionSamples {
        var samples = FunctionSamples([text("P-521"), text("01")], if: [0])
        samples.instead = FunctionTable.keyNumbers.first { $0.name == "ec.private" }
        samples.unlike = 1
        return samples
    }

    /// Sizes of keys and vectors, and the name of the padding.
    private static func cipher(_ name: String, _ family: String) -> FunctionSamples? {
        let families: [String: CipherAlgorithm.Family] = [
            "aes": .aes, "des": .des, "sm4": .sm4, "chacha20": .chacha20,
        ]
        guard let kind = families[family] else { return nil }
        let isEcb = name.hasSuffix("Ecb")
        let key = String("0123456789abcdef0123456789abcdef".prefix(CipherAlgorithm(kind, .ecb).keyBytes[0]))
        // Whole blocks fit every padding.
        var values = [text(key), text("0123456789abcdef")]
        let isAuthenticated = name.hasSuffix("Gcm") || name.hasSuffix("Poly1305")
        if !isEcb {
            values.append(text(String("fedcba9876543210".prefix(isAuthenticated ? 12 : kind == .des ? 8 : 16))))
        }
        values.append(text(isAuthenticated ? "" : "pkcs7"))
        var samples = FunctionSamples(values)
        if name.contains(".decrypt") {
            let encrypting = "\(family).encrypt\(name.dropFirst(family.count + ".decrypt".count))"
            samples.instead = FunctionTable.ciphers.first { $0.name == encrypting }
            samples.unlike = 1
        }
        return samples
    }
}
