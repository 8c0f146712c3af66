import Bytes
import Testing

@testable import Cryptography

/// Ciphers and derived keys; the expected bytes are those of Python's cryptography and hashlib, unless a standard is named.
@Suite struct CipherTests {
    static let password = "密码 pa55"
    static let pangram = "The quick brown fox jumps over the lazy dog"
    static let key = "0123456789abcdef0123456789abcdef"
    static let vector = "fedcba9876543210"

    // Arrays, not spans: a span of a temporary crashes the compiler (6.3.1) in what throws a typed error.

    private func encrypt(
        _ algorithm: CipherAlgorithm, _ key: [UInt8], _ vector: [UInt8], _ text: [UInt8],
        padding: Cipher.Padding = .pkcs7, associated: [UInt8] = []
    ) throws -> [UInt8] {
        try Cipher.encrypt(
            algorithm, key: key.span, vector: vector.span, text.span, padding: padding, associated: associated.span)
    }

    private func decrypt(
        _ algorithm: CipherAlgorithm, _ key: [UInt8], _ vector: [UInt8], _ text: [UInt8],
        padding: Cipher.Padding = .pkcs7, associated: [UInt8] = []
    ) throws -> [UInt8] {
        try Cipher.decrypt(
            algorithm, key: key.span, vector: vector.span, text.span, padding: padding, associated: associated.span)
    }

    private func pbkdf2(_ digest: DigestAlgorithm, _ password: [UInt8], _ salt: [UInt8], _ iterations: Int) throws
        -> [UInt8]
    {
        try KeyDerivation.pbkdf2(
            digest, password: password.span, salt: salt.span, iterations: iterations, count: 32)
    }

    private func scrypt(_ password: String, _ salt: String, _ numbers: (UInt64, UInt64, UInt64), memory: UInt64) throws
        -> [UInt8]
    {
        let (password, salt) = (bytes(password), bytes(salt))
        return try KeyDerivation.scrypt(
            password: password.span, salt: salt.span, n: numbers.0, r: numbers.1, p: numbers.2, memory: memory,
            count: 64)
    }

    private func hkdf(_ salt: [UInt8], _ info: [UInt8], _ count: Int) -> [UInt8]? {
        let key = [UInt8](repeating: 0x0B, count: 22)
        return KeyDerivation.hkdf(.sha256, key: key.span, salt: salt.span, info: info, count: count)
    }

    @Test(
        arguments: [
            (.aes, .cbc, 16, "57e4e72a9cac1260361d51a2c6afc41f"), (.aes, .ecb, 16, "6d57ee923de811fd7845ac169a075c52"),
            (.aes, .cbc, 24, "02add393905a4ce84df9dc86b0b8f8e9"), (.aes, .ecb, 24, "55ef483e88c956660caae8bf4220367d"),
            (.aes, .cbc, 32, "efc935063675f7b7870b84f8850f6c0f"), (.aes, .ecb, 32, "43ce1c2cf86604228b7d886b265c6b82"),
            (.aes, .ctr, 16, "eee4509656f15f79d90df6"), (.aes, .ctr, 32, "3bf7fdb86c716ec41311d3"),
            (.sm4, .cbc, 16, "b9aa898470d09ee9976e543f3e52ecc3"), (.sm4, .ecb, 16, "c1cdaabd6451ec0c177c4121e7ec679e"),
            (.sm4, .ctr, 16, "71dcc1f3376a23dd92eb1f"), (.des, .cbc, 16, "f2efa8e21471658c2a95d505f99410f0"),
            (.des, .ecb, 16, "130b1e2dc3853f79411df0a533a826bf"), (.des, .cbc, 24, "f2efa8e21471658c2a95d505f99410f0"),
        ] as [(CipherAlgorithm.Family, CipherAlgorithm.Mode, Int, String)])
    func short(family: CipherAlgorithm.Family, mode: CipherAlgorithm.Mode, count: Int, expected: String) throws {
        let algorithm = CipherAlgorithm(family, mode)
        let (key, text) = (bytes(String(Self.key.prefix(count))), bytes(Self.password))
        let vector = Array(bytes(Self.vector).prefix(algorithm.vectorBytes ?? 12))
        let output = try encrypt(algorithm, key, vector, text)
        #expect(hex(output) == expected)
        #expect(try decrypt(algorithm, key, vector, output) == text)
    }

    @Test(
        arguments: [
            (.ctr, "5f23b3518705166ad318a1a4a56b041d240a9419c5d2e0ff95d83ec0d7fb5755ecdfd222814b065e2b3ef4"),
            (.cfb, "5f23b3518705166ad318a1a4a56b041d2aaa9447f74780316398a5500d19f155a2edd0b19d201d1fcd85f6"),
            (.ofb, "5f23b3518705166ad318a1a4a56b041d2eeb5863150f4994d1b9dd107bdade97732e079da77daf5625776b"),
        ] as [(CipherAlgorithm.Mode, String)])
    func stream(mode: CipherAlgorithm.Mode, expected: String) throws {
        let (key, vector) = (bytes(String(Self.key.prefix(16))), bytes(Self.vector))
        let text = bytes(Self.pangram)
        let output = try encrypt(CipherAlgorithm(.aes, mode), key, vector, text)
        #expect(hex(output) == expected)
        #expect(
            try decrypt(CipherAlgorithm(.aes, mode), key, vector, output) == text)
    }

    @Test(
        arguments: [
            (
                .aes, 16, 12, "aad",
                "1a7b87ed4fba616427b36d1680d0daf39dd30be3575398203cb66c229ab0c444fd1975c30497dd4671b25c"
                    + "b3b3940a97733c48b6a0ba80485cca2d"
            ),
            (
                .aes, 32, 16, "",
                "92a515f98ba45ad0e6bcd5193af7d2f60c3606761e682c5f04de7aaffa57882f6430441596fdfc7341ab35"
                    + "cc1eb65c61ff9f6d29d1feca73337714"
            ),
            (
                .chacha20, 32, 12, "aad",
                "2cf9607c97c6abcc82f8c18d834aededd33b3c84dc8fd82b56ecee4c805570ffc850aaf1902569b218d92e"
                    + "c1855f9568c059721b85f32207f6c9f3"
            ),
        ] as [(CipherAlgorithm.Family, Int, Int, String, String)])
    func authenticated(
        family: CipherAlgorithm.Family, size: Int, count: Int, extra: String, expected: String
    ) throws {
        let algorithm = CipherAlgorithm(family, .authenticated)
        let (key, vector) = (Array(bytes(Self.key).prefix(size)), Array(bytes(Self.vector).prefix(count)))
        let (text, extra) = (bytes(Self.pangram), bytes(extra))
        var output = try encrypt(algorithm, key, vector, text, associated: extra)
        #expect(hex(output) == expected)
        #expect(
            try decrypt(algorithm, key, vector, output, associated: extra)
                == text)
        output[3] ^= 1
        #expect(throws: CryptographyError.self) {
            try decrypt(algorithm, key, vector, output, associated: extra)
        }
        let short = [UInt8](repeating: 0, count: 15)
        #expect(throws: CryptographyError.self) {
            try decrypt(algorithm, key, vector, short)
        }
    }

    @Test func paddings() throws {
        let algorithm = CipherAlgorithm(.aes, .cbc)
        let (key, vector) = (bytes(String(Self.key.prefix(16))), bytes(Self.vector))
        let text = bytes(Self.password)
        let zero = try encrypt(algorithm, key, vector, text, padding: .zero)
        #expect(hex(zero) == "eab459580b74d3a8ff55ba572a7bcb20")
        #expect(try decrypt(algorithm, key, vector, zero, padding: .zero) == text)
        let plain = try decrypt(algorithm, key, vector, zero, padding: .none)
        #expect(plain == text + [0, 0, 0, 0, 0])
        #expect(throws: CryptographyError.self) {
            try encrypt(algorithm, key, vector, text, padding: .none)
        }
        // The zeros are no PKCS #7.
        #expect(throws: CryptographyError.self) {
            try decrypt(algorithm, key, vector, zero)
        }
    }

    /// Plain DES is triple DES with one key: NIST SP 800-20 table A.1, key 0101..., and what Python made.
    @Test func plainDES() throws {
        let key = bytes("8bytekey")
        let output = try encrypt(CipherAlgorithm(.des, .ecb), key, [UInt8](), bytes(Self.password))
        #expect(hex(output) == "314a5445079d3273b26bd674609b05e0")
        let (ones, block): ([UInt8], [UInt8]) = (Array(repeating: 1, count: 8), [0x80, 0, 0, 0, 0, 0, 0, 0])
        let first = try encrypt(CipherAlgorithm(.des, .ecb), ones, [UInt8](), block, padding: .none)
        #expect(hex(first) == "95f8a5e5dd31d900")
    }

    @Test(
        arguments: [(.aes, .cbc, 15, 16), (.aes, .cbc, 16, 15), (.sm4, .ecb, 32, 0), (.aes, .authenticated, 16, 0)]
            as [(CipherAlgorithm.Family, CipherAlgorithm.Mode, Int, Int)])
    func wrongSizes(family: CipherAlgorithm.Family, mode: CipherAlgorithm.Mode, key: Int, vector: Int) {
        let (key, vector) = ([UInt8](repeating: 0, count: key), [UInt8](repeating: 0, count: vector))
        #expect(throws: CryptographyError.self) {
            try encrypt(CipherAlgorithm(family, mode), key, vector, bytes("x"))
        }
    }

    /// RFC 6229 (40-bit key 0102030405), and the well-known pair.
    @Test func rc4() {
        func apply(_ key: [UInt8], _ text: [UInt8]) -> [UInt8]? { RC4.apply(key: key.span, text.span) }
        let zeros = apply([1, 2, 3, 4, 5], [UInt8](repeating: 0, count: 16))
        #expect(zeros.map(hex) == "b2396305f03dc027ccc3524a0a1118a8")
        #expect(apply(bytes("Wiki"), bytes("pedia")).map(hex) == "1021bf0420")
        #expect(apply([], bytes("x")) == nil && apply([UInt8](repeating: 1, count: 257), []) == nil)
    }

    /// RFC 4493 4.
    @Test(arguments: [
        ("", "bb1d6929e95937287fa37d129b756746"),
        ("6bc1bee22e409f96e93d7e117393172a", "070a16b46b4d4144f79bdd9dd04a287c"),
        (
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411",
            "dfa66747de9ae63030ca32611497c827"
        ),
    ])
    func cmac(message: String, expected: String) throws {
        func mac(_ key: [UInt8]) throws -> String {
            let text = try #require(decoded(message))
            return hex(try CMAC.aes(key: key.span, message: text.span))
        }
        #expect(try mac(try #require(decoded("2b7e151628aed2a6abf7158809cf4f3c"))) == expected)
        #expect(throws: CryptographyError.self) { try mac([1, 2, 3]) }
    }

    private func decoded(_ text: String) -> [UInt8]? {
        let digits = bytes(text)
        return Hex.decode(digits.span)
    }

    @Test(
        arguments: [
            (.sha1, "6e88be8bad7eae9d9e10aa061224034fed48d03fcbad968b56006784539d5214"),
            (.sha256, "632c2812e46d4604102ba7618e9d6d7d2f8128f6266b4a03264d2a0460b7dcb3"),
            (.sha384, "3bd37e2236941d4a77b1b5b714c6f913fabb6b0841a6d7d8656b99d611e900fe"),
            (.sha512, "afe6c5530785b6cc6b1c6453384731bd5ee432ee549fd42fb6695779ad8a1c5b"),
            (.sm3, "e8b635a41dfe5aaab7cf828cff6f3608e22cac59ba16edd70e000b293d00bc91"),
        ] as [(DigestAlgorithm, String)])
    func pbkdf2(digest: DigestAlgorithm, expected: String) throws {
        let key = try pbkdf2(digest, bytes("password"), bytes("salt"), 1000)
        #expect(hex(key) == expected)
    }

    /// RFC 7914 12, the first two.
    @Test func scrypt() throws {
        let empty = try scrypt("", "", (16, 1, 1), memory: 1 << 20)
        #expect(hex(empty).hasPrefix("77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"))
        let key = try scrypt("password", "NaCl", (1024, 8, 16), memory: 64 << 20)
        #expect(hex(key).hasPrefix("fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"))
        #expect(throws: CryptographyError.self) { try scrypt("p", "s", (1024, 8, 1), memory: 1 << 10) }
    }

    /// RFC 5869 A.1 and A.3.
    @Test func hkdf() {
        let first = hkdf((0...12).map { UInt8($0) }, (0xF0...0xF9).map { UInt8($0) }, 42)
        #expect(
            first.map(hex) == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
        let second = hkdf([], [], 42)
        #expect(
            second.map(hex) == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
        #expect(hkdf([], [], 8161) == nil && hkdf([], [], 0) == [])
    }
}
