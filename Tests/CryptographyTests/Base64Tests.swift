import Testing

@testable import Cryptography

@Suite struct Base64Tests {
    /// RFC 4648 10.
    static let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: vectors)
    func known(plain: String, text: String) {
        let bare = bytes(text).filter { $0 != 0x3D }
        #expect(Base64.encode(bytes(plain).span) == bytes(text))
        #expect(Base64.encode(bytes(plain).span, padding: false) == bare)
        #expect(Base64.decode(bytes(text).span) == bytes(plain))
        #expect(Base64.decode(bare.span, padding: .none) == bytes(plain))
        #expect(Base64.decode(bare.span, padding: .optional) == bytes(plain))
        #expect(Base64.decode(bytes(text).span, padding: .optional) == bytes(plain))
        if text.contains("=") {
            #expect(Base64.decode(bare.span) == nil)
            #expect(Base64.decode(bytes(text).span, padding: .none) == nil)
        }
    }

    @Test(arguments: [
        "Zg=", "Zg", "Zg===", "Z", "Z===", "Zh==", "Zm9=", "Zm 9v", "Zm9v\n", "Zm9v====", "=", "==", "Z=g=", "Zm-_",
    ])
    func refused(text: String) {
        #expect(Base64.decode(bytes(text).span) == nil)
    }

    @Test func alphabets() {
        let raw: [UInt8] = [0xFB, 0xFF, 0xBE]
        #expect(Base64.encode(raw.span) == bytes("+/++"))
        #expect(Base64.encode(raw.span, alphabet: .url) == bytes("-_--"))
        #expect(Base64.decode(bytes("-_--").span, alphabet: .url) == raw)
        #expect(Base64.decode(bytes("+/++").span, alphabet: .url) == nil)
    }

    @Test func everyByteSurvives() {
        for count in 0..<70 {
            let raw = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            #expect(Base64.decode(Base64.encode(raw.span).span) == raw)
        }
    }
}
