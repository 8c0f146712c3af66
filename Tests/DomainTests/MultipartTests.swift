import Testing

@testable import Domain

/// What is written is read again, and nothing that two readers could see differently is read at all.
struct MultipartTests {
    private static func read(_ body: [UInt8], _ type: String) -> [MultipartPart]? {
        MultipartReader.parts(of: body, contentType: Array(type.utf8)[...])
    }

    @Test(arguments: 0..<200) func whatIsWrittenIsReadAgain(_ seed: UInt64) throws {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func next(_ bound: UInt64) -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state % bound
        }
        // Bytes that delimiters, quotes and escapes are made of come often.
        let alphabet: [UInt8] = Array("\r\n-\"\\%2DA0;= :x".utf8) + [0x00, 0xE4, 0xFF]
        func bytes(_ most: UInt64) -> [UInt8] {
            (0..<next(most)).map { _ in alphabet[Int(next(UInt64(alphabet.count)))] }
        }
        // A percent or a backslash in a name can be read two ways: browsers escape neither.
        func name() -> [UInt8] { bytes(12).filter { $0 != 0x25 && $0 != 0x5C && $0 != 0x00 } }
        let parts = (0..<next(5)).map { _ in
            let isFile = next(2) == 0
            return MultipartPart(
                name: name(), value: bytes(40), filename: isFile ? name() : nil,
                type: next(2) == 0 ? Array("image/png".utf8) : nil)
        }
        let body = MultipartText(parts)
        let again = try #require(Self.read(body.bytes, body.contentType))
        #expect(again == parts)
    }

    @Test(arguments: [
        ("a\\\"b", "a\"b"), ("a%22%0d%0D%0A", "a\"%0d\r\n"), ("C:\\x\\y", "C:\\x\\y"), ("a\\\\", "a\\\\"),
    ])
    func namesAreUnquoted(_ written: String, _ name: String) {
        let body = Array("--x\r\nContent-Disposition: form-data; name=\"\(written)\"\r\n\r\n\r\n--x--".utf8)
        #expect(Self.read(body, "multipart/form-data; boundary=x")?.map(\.name) == [Array(name.utf8)])
    }

    @Test(arguments: ["name=\"a\nb\"", "name=a\u{0}", "name=a\nX: y"]) func controlsInAHeadAreRefused(_ text: String) {
        let body = Array("--x\r\nContent-Disposition: form-data; \(text)\r\n\r\n\r\n--x--".utf8)
        #expect(Self.read(body, "multipart/form-data; boundary=x") == nil)
    }

    @Test(arguments: [
        ("multipart/form-data; boundary=x", true), ("multipart/form-data;BOUNDARY=\"x\"", true),
        ("multipart/form-data; a=\"; boundary=y\"; boundary=x; boundary=y", true), ("multipart/form-data", false),
        ("multipart/form-data; boundary", false), ("multipart/form-data; boundary=\"\"", false),
        ("multipart/form-data; boundary=y", false), ("multipart/form-data; xboundary=x", false),
    ])
    func findsTheBoundary(_ type: String, _ isFound: Bool) {
        let body = Array("--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--x--".utf8)
        #expect((Self.read(body, type)?.map(\.value) == [Array("1".utf8)]) == isFound)
    }

    @Test func everyPrefixIsRefused() {
        let body = Array("--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--".utf8)
        for count in 0..<body.count {
            #expect(Self.read(Array(body[..<count]), "multipart/form-data; boundary=x") == nil, "\(count)")
        }
    }
}
