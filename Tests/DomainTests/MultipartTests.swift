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

    @Test(arguments: [0, 1, 3], [Set<Int>(), [0], [1, 2], [0, 1, 2]]) func editsLeaveTheOtherParts(
        _ added: Int, _ dropped: Set<Int>
    ) throws {
        let parts = (0..<3).map { MultipartPart(name: Array("n\($0)".utf8), value: Array("\r\n-\($0)".utf8)) }
        let (body, more) = (MultipartText(parts), (0..<added).map { ("k\($0)", "v\r\n\($0)") })
        let type = Array(body.contentType.utf8)[...]
        let names = dropped.map { parts[$0].name }
        let read = try #require(MultipartReader.read(body.bytes, contentType: type))
        let kept = read.dropping(OwnedNames(names)) ?? body.bytes
        #expect((kept == body.bytes) == dropped.isEmpty)
        let longer = try #require(MultipartReader.read(kept, contentType: type)?.appending(fields(more)))
        let expected =
            (0..<3).filter { !dropped.contains($0) }.map { parts[$0] }
            + more.map { MultipartPart(name: bytes($0.0), value: bytes($0.1)) }
        #expect(MultipartReader.parts(of: longer, contentType: type) == expected)
        let forged = fields([("k", "x--" + String(decoding: body.boundary, as: UTF8.self) + "--")])
        #expect(read.appending(forged) == nil)
    }

    @Test(arguments: [
        ("a\\\"b", "a\"b"), ("a%22%0d%0D%0A", "a\"%0d\r\n"), ("C:\\x\\y", "C:\\x\\y"), ("a\\\\", "a\\\\"),
    ])
    func namesAreUnquoted(_ written: String, _ name: String) {
        let body = Array("--x\r\nContent-Disposition: form-data; name=\"\(written)\"\r\n\r\n\r\n--x--".utf8)
        #expect(Self.read(body, "multipart/form-data; boundary=x")?.map(\.name) == [Array(name.utf8)])
    }

    /// .NET sends both, against RFC 7578 4.2.
    @Test func aFileMayBeNamedTwice() {
        let body = Array(
            "--x\r\nContent-Disposition: form-data; name=f; filename=a; filename*=utf-8''a\r\n\r\n\r\n--x--".utf8)
        #expect(Self.read(body, "multipart/form-data; boundary=x")?.map(\.filename) == [Array("a".utf8)])
    }

    @Test(arguments: [
        "name=\"a\nb\"", "name=a\u{0}", "name=a\nX: y", "name=\"a", "name=\"a\\\"", "name=\"a\"b", "name=a\"b",
        "name=a\\",
        "name=a; name=b", "name=a; filename=b; FILENAME=c", "name=a; filename*=utf-8''b", "filename=a",
    ])
    func whatCanBeReadTwoWaysIsRefused(_ text: String) {
        let body = Array("--x\r\nContent-Disposition: form-data; \(text)\r\n\r\n\r\n--x--".utf8)
        #expect(Self.read(body, "multipart/form-data; boundary=x") == nil)
    }

    @Test(arguments: [
        ("multipart/form-data; boundary=x", true), ("multipart/form-data;BOUNDARY=\"x\"", true),
        ("multipart/form-data; a=\"; boundary=y\"; boundary=x; boundary=y", false), ("multipart/form-data", false),
        ("multipart/form-data; boundary", false), ("multipart/form-data; boundary=\"\"", false),
        ("multipart/form-data; boundary=\"x", false), ("multipart/form-data; boundary=\"x\"y", false),
        ("multipart/form-data; boundary=y", false), ("multipart/form-data; xboundary=x", false),
        ("multipart/form-data; charset=utf-8; boundary=x", true),
        ("multipart/form-data; boundary=x ; charset=utf-8", true),
        ("multipart/form-data; boundary=x; Boundary=x", false),
        ("multipart/form-data; boundary=x; boundary*=''y", false),
        ("multipart/form-data; boundary*0=y; boundary=x", false),
        ("multipart/form-data; xboundary=y; boundary=x", false),
        ("multipart/form-data; a=\"; boundary=y; b=\"; boundary=x", false), ("multipart/form-data; boundary= x", false),
        ("multipart/form-data; boundary =x", false), ("multipart/form-data; boundary=x; y=\"", false),
    ])
    func findsTheBoundary(_ type: String, _ isFound: Bool) {
        let body = Array("--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--x--".utf8)
        #expect((Self.read(body, type)?.map(\.value) == [Array("1".utf8)]) == isFound)
    }

    @Test(arguments: ["x,y", "x y", "\"x \"", "\"x;y\"", "\"x\\y\""]) func noBoundaryEndsEarlyForSome(_ text: String) {
        let plain = text.filter { $0 != "\"" }
        let body = Array("--\(plain)\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--\(plain)--".utf8)
        #expect(Self.read(body, "multipart/form-data; boundary=\(text)") == nil)
    }

    /// The delimiter stands in lines of its own, and the body begins and ends with it.
    @Test(arguments: [
        ("{}", true), ("\r\n{}", true), ("{}\r\n", true), ("{v\r\n-\n-x\r--y}", true),
        ("preamble\r\n{}", false), ("\n{}", false), ("\r\n\r\n{}", false), ("\n--x\n\r\n{}", false),
        ("{}\n", false), ("{}\r\n\r\n", false), ("{} ", false), ("{}epilogue", false), ("{}\r\n--x\r\n", false),
        ("{v\n--x\n}", false), ("{v\r--x\r}", false), ("{v\n--x--\n}", false), ("{v\r\n--xy}", false),
        ("{v\r\n--x \r\n}", false), ("{v--x\r\n}", false), ("{---x}", false), ("{--x}", false), ("{v\r\n--x\n}", false),
    ])
    func theDelimiterStandsAlone(_ text: String, _ isRead: Bool) {
        for head in ["", "X: y\r\n"] {
            let open = "--x\r\nContent-Disposition: form-data; name=a\r\n\(head)\r\n"
            let body = text.replacing("{", with: open).replacing("}", with: "\r\n--x--")
            #expect((Self.read(Array(body.utf8), "multipart/form-data; boundary=x") != nil) == isRead)
        }
    }

    @Test(arguments: [
        " Y: z", "Y : z", ": z", "Y: z\n", "Y: z\rY: z", "Y: --x", "--x: y", "Y",
        "Content-Disposition: form-data; name=b",
    ])
    func noHeadIsReadTwoWays(_ line: String) {
        let body = "--x\r\nContent-Disposition: form-data; name=a\r\n\(line)\r\n\r\n1\r\n--x--"
        #expect(Self.read(Array(body.utf8), "multipart/form-data; boundary=x") == nil)
    }

    /// A boundary that begins as it goes on.
    @Test func aDelimiterIsFoundBehindItsOwnBeginning() {
        let boundary = "--a--a-"
        let body = "----a--a-\r\nContent-Disposition: form-data; name=a\r\n\r\n----a----a\r\n----a--a---"
        let type = "multipart/form-data; boundary=\(boundary)"
        #expect(Self.read(Array(body.utf8), type)?.map(\.value) == [Array("----a----a".utf8)])
        let inner = body.replacing("----a----a\r\n", with: "x----a----a--a-y\r\n")
        #expect(Self.read(Array(inner.utf8), type) == nil)
    }

    @Test func everyPrefixIsRefused() {
        let body = Array("--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--".utf8)
        for count in 0..<body.count {
            #expect(Self.read(Array(body[..<count]), "multipart/form-data; boundary=x") == nil, "\(count)")
        }
    }
}
