/// What each function costs, in nanoseconds of a call, of a byte and of an element. Measured: `make bench-costs` calls
/// every function with as much as its steps allow, and says which one takes longer than it is charged.
enum FunctionCosts {
    /// Of a function that is not named here `Cost.unknown`: too much is charged rather than too little.
    static func cost(of function: Function) -> Cost {
        let name = function.name
        if let cost = costs[name] { return cost }
        if slowDigests.contains(where: { name.hasSuffix($0) }) {
            return Cost(call: 1000, byte: 9, element: 0, .elements)
        }
        let family = name.prefix { $0 != "." }
        return families[String(family)] ?? .unknown
    }

    /// Of what comes out as well, which `steps` bounds before it does.
    static let inflating = Cost(call: 10_000, byte: 8, element: 0, .elements)
    private static let bitwise = Cost(call: 100, byte: 20, element: 0, .elements)

    private static let slowDigests = [".sha3_224", ".sha3_256", ".sha3_384", ".sha3_512", ".sm3", ".ripemd160"]

    private static let families: [String: Cost] = [
        "optional": .nothing,
        "math": Cost(call: 150, byte: 0, element: 600, .elements),
        "time": Cost(call: 1500, byte: 30, element: 0, .elements),
        "hash": Cost(call: 400, byte: 3, element: 0, .elements),
        "hmac": Cost(call: 1000, byte: 3, element: 0, .elements),
        "hkdf": Cost(call: 5000, byte: 6, element: 0, .elements),
        "cmac": Cost(call: 3000, byte: 6, element: 0, .elements),
        "aes": Cost(call: 3000, byte: 3, element: 0, .elements),
        "des": Cost(call: 3000, byte: 60, element: 0, .elements),
        "sm4": Cost(call: 3000, byte: 20, element: 0, .elements),
        "chacha20": Cost(call: 3000, byte: 4, element: 0, .elements),
        "rc4": Cost(call: 3000, byte: 6, element: 0, .elements),
        "base64": Cost(call: 100, byte: 3, element: 0, .elements),
        "base64url": Cost(call: 100, byte: 3, element: 0, .elements),
        "hex": Cost(call: 100, byte: 2, element: 0, .elements),
        "url": Cost(call: 200, byte: 9, element: 800),
        // A signature of RSA with 2048 bits takes about 1 ms.
        "rsa": Cost(call: 1_500_000, byte: 10, element: 0, .elements),
        "ecdsa": Cost(call: 500_000, byte: 8, element: 0, .elements),
        "ed25519": Cost(call: 250_000, byte: 12, element: 0, .elements),
        "sm2": Cost(call: 1_500_000, byte: 12, element: 0, .elements),
        "ec": Cost(call: 500_000, byte: 10, element: 0, .elements),
        "gzip": Cost(call: 20_000, byte: 80, element: 0, .elements),
        "zlib": Cost(call: 20_000, byte: 80, element: 0, .elements),
        "deflate": Cost(call: 20_000, byte: 80, element: 0, .elements),
        "ecdh": Cost(call: 2_000_000, byte: 10, element: 0, .elements),
        "x25519": Cost(call: 200_000, byte: 10, element: 0, .elements),
        // A power says itself what it takes.
        "bigint": Cost(call: 10_000, byte: 10, element: 0, .elements),
        // Each digit goes over all those before it; the length is bounded.
        "base58": Cost(call: 500, byte: 2000, element: 0, .elements),
        "jwk": Cost(call: 500_000, byte: 40, element: 1500),
    ]

    private static let costs: [String: Cost] = [
        "dyn": .nothing, "type": .nothing, "hasValue": .nothing, "value": .nothing, "orValue": .nothing, "or": .nothing,
        "string": Cost(call: 500, byte: 10, element: 0, .elements),
        "bytes": Cost(call: 100, byte: 2, element: 0, .elements),
        "optional.ofNonZeroValue": Cost(call: 50, byte: 1, element: 20, .elements),
        "url.decode": Cost(call: 200, byte: 4, element: 0), "url.decodeForm": Cost(call: 200, byte: 4, element: 0),
        "size": Cost(call: 50, byte: 1, element: 20, .elements),
        "first": Cost(call: 50, byte: 0, element: 150, .elements),
        "last": Cost(call: 50, byte: 0, element: 150, .elements),
        "slice": Cost(call: 100, byte: 0, element: 150, .elements),
        "optional.unwrap": Cost(call: 50, byte: 0, element: 150, .elements),
        "contains": Cost(call: 100, byte: 6, element: 0, .elements),
        "startsWith": Cost(call: 100, byte: 2, element: 0, .elements),
        "endsWith": Cost(call: 100, byte: 2, element: 0, .elements),
        "lowerAscii": Cost(call: 100, byte: 2, element: 0, .elements),
        "upperAscii": Cost(call: 100, byte: 2, element: 0, .elements),
        "indexOf": Cost(call: 100, byte: 8, element: 0, .elements),
        "substring": Cost(call: 100, byte: 3, element: 0, .elements),
        "before": Cost(call: 100, byte: 6, element: 0, .elements),
        "after": Cost(call: 100, byte: 6, element: 0, .elements),
        "left": Cost(call: 100, byte: 3, element: 0, .elements),
        "right": Cost(call: 100, byte: 3, element: 0, .elements),
        // The search is charged by what it does.
        "matches": Cost(call: 200, byte: 0, element: 0, .elements),
        "regex.extract": Cost(call: 500, byte: 0, element: 0, .elements),
        "regex.extractAll": Cost(call: 500, byte: 0, element: 200, .elements),
        "regex.replace": Cost(call: 500, byte: 8, element: 0, .elements),
        "rsa.public": Cost(call: 100_000, byte: 10, element: 0, .elements),
        "jwt.claims": Cost(call: 500, byte: 20, element: 0, .elements),
        "jwt.header": Cost(call: 500, byte: 20, element: 0, .elements),
        "jwt.sign": Cost(call: 1_500_000, byte: 30, element: 1500),
        "jwt.verify": Cost(call: 500_000, byte: 30, element: 0),
        "json.decode": Cost(call: 300, byte: 12, element: 0, .elements),
        "json.encode": Cost(call: 100, byte: 6, element: 200),
        "json.minify": Cost(call: 100, byte: 10, element: 150),
        "xml.decode": Cost(call: 500, byte: 100, element: 0, .elements),
        "sort": Cost(call: 100, byte: 1.5, element: 60, .sorting),
        "json.sorted": Cost(call: 300, byte: 10, element: 200, .sorting),
        "json.canonical": Cost(call: 300, byte: 10, element: 200, .sorting),
        "pairs.sort": Cost(call: 100, byte: 1, element: 60, .sorting),
        "php.sort": Cost(call: 100, byte: 2, element: 100, .sorting),
        "url.canonicalQuery": Cost(call: 300, byte: 4, element: 100, .sorting),
        "pairs.join": Cost(call: 100, byte: 2, element: 60),
        "pairs.lines": Cost(call: 100, byte: 2, element: 60),
        "pairs.parse": Cost(call: 200, byte: 20, element: 0, .elements),
        "pairs.split": Cost(call: 200, byte: 20, element: 0, .elements),
        "gzip.decode": inflating, "zlib.decode": inflating, "deflate.decode": inflating,
        "hash.keccak256": Cost(call: 8000, byte: 80, element: 0, .elements),
        "hash.adler32": Cost(call: 100, byte: 12, element: 0, .elements),
        "hash.crc16arc": bitwise, "hash.crc16modbus": bitwise, "hash.crc16xmodem": bitwise, "hash.crc16ccitt": bitwise,
        "scrypt": Cost(call: 5000, byte: 10, element: 0, .elements),
    ]
}
