import Testing

@testable import Domain

@Suite struct UnwrapperTests {
    private static let all = EnvelopePlan.Unwrap.allCases

    @Test(arguments: [
        ("{\"a\":1}", "{\"a\":1}"), ("\u{FEFF}{\"a\":1}", "{\"a\":1}"), ("  {\"a\":1}\n", "{\"a\":1}\n"),
        (")]}',\n{\"a\":1}", "{\"a\":1}"), (")]}'\n[1]", "[1]"), ("while(1);{\"a\":1}", "{\"a\":1}"),
        ("for(;;);[1,2]", "[1,2]"), ("{}&&{\"a\":1}", "{\"a\":1}"), ("cb({\"a\":1})", "{\"a\":1}"),
        ("/**/jQuery11_2.cb({\"a\":1});\n", "{\"a\":1}"), ("a.b[0]([1]) ; ", "[1]"),
        ("Notice: x [8] in {file}\n{\"a\":1}", "{\"a\":1}"), ("[Warning] x\n{\"a\":1}", "{\"a\":1}"),
        ("\u{FEFF}<br />\n<b>Notice</b>: {\"a\":{\"b\":[1]}}", "{\"a\":{\"b\":[1]}}"), ("[1,2]", "[1,2]"),
        ("cb(Notice {\"a\":1});", "{\"a\":1}"), ("", ""), ("no json", "no json"), ("\"text\"", "\"text\""),
        ("cb()", ""), ("1cb({})", "1cb({})"),
    ])
    func theJSONIsFound(_ body: String, _ expected: String) throws {
        let raw = bytes(body)
        let range = try Unwrapper.range(of: raw, contentType: nil, steps: Self.all)
        #expect(text(Array(raw[range])) == expected)
    }

    @Test func nothingIsDoneUnasked() throws {
        for body in ["\u{FEFF}{}", ")]}',{}", "cb({})", " x {}"] {
            let raw = bytes(body)
            #expect(try Unwrapper.range(of: raw, contentType: nil, steps: []) == 0..<raw.count)
        }
    }

    @Test(arguments: [
        ("text/html;charset=utf-8", true), ("application/json; charset=\"UTF-8\"", true), ("text/plain", true),
        ("text/html; Charset = utf8", true), ("text/html; charset=us-ascii", true), ("text/html; charset=gbk", false),
        ("text/html; charset=gb2312", false), ("text/html; boundary=x; charset=iso-8859-1", false),
        ("text/html; charset=", true), ("text/html; charset=\u{1B}[31m", false),
    ])
    func onlyUTF8IsUnderstood(_ contentType: String, _ isFine: Bool) {
        do {
            _ = try Unwrapper.range(of: bytes("{}"), contentType: bytes(contentType)[...], steps: [.charset])
            #expect(isFine)
        } catch {
            #expect(!isFine && error.kind == .badAnswer)
            #expect(!error.detail.contains("\u{1B}"))
        }
    }

    @Test func sixteenBitTextIsRefused() {
        #expect(throws: GatewayError.self) {
            try Unwrapper.range(of: [0xFF, 0xFE, 0x7B, 0], contentType: nil, steps: [.bom])
        }
    }

    @Test(
        arguments: [
            (nil, false), ("application/json", false), ("text/html; charset=utf-8", false), ("image/png", true),
            ("IMAGE/PNG", true), ("image/svg+xml", false), ("application/octet-stream", true),
            ("application/pdf", true),
            ("text/event-stream", true), ("", false),
            ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", true),
        ] as [(String?, Bool)])
    func downloadsAreTold(_ type: String?, _ expected: Bool) {
        #expect(MediaType.isDownload(type.map { bytes($0)[...] }) == expected)
    }
}
