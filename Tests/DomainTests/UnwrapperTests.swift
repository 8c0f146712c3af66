import ContentCoding
import JSONBytes
import Testing

@testable import Domain

@Suite struct UnwrapperTests {
    private static let all: [UnwrapStep] = [.charset, .bom, .xssi, .jsonp, .skipToJSON]

    private func left(_ raw: [UInt8], type: String? = nil, _ steps: [UnwrapStep]) throws -> String {
        let left = try Unwrapper.unwrap(raw, contentType: type.map { bytes($0)[...] }, steps: steps)
        if let value = left.value { #expect(Array(value.raw) == Array(left.bytes[left.range])) }
        return text(Array(left.bytes[left.range]))
    }

    @Test(arguments: [
        ("{\"a\":1}", "{\"a\":1}"), ("\u{FEFF}{\"a\":1}", "{\"a\":1}"), ("  {\"a\":1}\n", "{\"a\":1}\n"),
        (")]}',\n{\"a\":1}", "{\"a\":1}"), (")]}'\n[1]", "[1]"), ("while(1);{\"a\":1}", "{\"a\":1}"),
        ("for(;;);[1,2]", "[1,2]"), ("{}&&{\"a\":1}", "{\"a\":1}"), ("cb({\"a\":1})", "{\"a\":1}"),
        ("/**/jQuery11_2.cb({\"a\":1});\n", "{\"a\":1}"), ("a.b[0]([1]) ; ", "[1]"),
        ("Notice: x [8] in {file}\n{\"a\":1}", "{\"a\":1}"), ("[Warning] x\n{\"a\":1}", "{\"a\":1}"),
        ("\u{FEFF}<br />\n<b>Notice</b>: {\"a\":{\"b\":[1]}}", "{\"a\":{\"b\":[1]}}"), ("[1,2]", "[1,2]"),
        ("cb(Notice {\"a\":1});", "{\"a\":1}"), ("", ""), ("no json", "no json"), ("\"text\"", "\"text\""),
        ("cb()", ""), ("1cb({})", "1cb({})"),
        ("/**/ typeof cb === 'function' && cb({\"a\":1});", "{\"a\":1}"),
        ("/* a (b) */\n// c\ntypeof(cb)==\"function\"&&cb([1]);;\n", "[1]"),
        ("'function' === typeof a.b && a.b({\"a\":1}) // done\n", "{\"a\":1}"),
        ("window.cb && window.cb ({\"a\":1}); /* x; */", "{\"a\":1}"),
        ("cbs['a1']({\"a\":1})", "{\"a\":1}"),
        ("var x = {\"a\":\"(;\"};", "{\"a\":\"(;\"}"), ("let x=[1]", "[1]"), ("window.x = {\"a\":1}", "{\"a\":1}"),
        ("x={\"a\":1};", "{\"a\":1}"), ("/* c */ {\"a\":1} // end", "{\"a\":1}"), ("// c\n[1]", "[1]"),
        ("a=1&b=2", "a=1&b=2"), ("code=401;", "code=401;"), ("typeof x", "typeof x"),
        ("error (no json)", "error (no json)"),
        ("a && b", "a && b"), ("var", "var"), ("/* open {\"a\":1}", "{\"a\":1}"), ("cb({\"a\":1}", "{\"a\":1}"),
    ])
    func theJSONIsFound(_ body: String, _ expected: String) throws {
        let left = try left(bytes(body), Self.all)
        #expect(left == expected || left + "\n" == expected)
    }

    @Test func nothingIsDoneUnasked() throws {
        for body in ["\u{FEFF}{}", ")]}',{}", "cb({})", " x {}"] {
            #expect(try left(bytes(body), []) == body)
        }
    }

    @Test(arguments: [
        ("text/html;charset=utf-8", "é"), ("application/json; charset=\"UTF-8\"", "é"), ("text/plain", "é"),
        ("text/html; Charset = utf8", "é"), ("text/html; charset=us-ascii", "é"), ("text/html; charset=gbk", "茅"),
        ("text/html; charset=gb2312", "茅"), ("text/html; boundary=x; charset=iso-8859-1", "Ã©"),
        ("text/html; charset=", "é"), ("text/html; charset=\u{1B}[31m", nil), ("text/html; charset=utf-16", nil),
    ])
    func theLabelDecides(_ contentType: String, _ expected: String?) {
        do {
            #expect(try left(bytes("é."), type: contentType, [.charset]) == expected.map { $0 + "." })
        } catch {
            #expect(expected == nil)
            let detail = (error as? GatewayError)?.detail
            #expect(detail?.contains("\u{1B}") == false && detail?.contains("charset") == true)
        }
    }

    @Test func aCharsetThatIsToldWins() throws {
        let gbk = try #require(Charset(label: bytes("gbk")))
        let raw: [UInt8] = [0x22, 0xD6, 0xD0, 0x22]
        #expect(try left(raw, type: "text/html; charset=utf-8", [.charsetIs(gbk)]) == "\"中\"")
        #expect(try left(raw, type: "text/html", [.charset, .charsetFallback(gbk)]) == "\"中\"")
        #expect(try left(bytes("\"中\""), type: "text/html", [.charset, .charsetFallback(gbk)]) == "\"中\"")
        #expect(throws: GatewayError.self) { try left([0xFF, 0xFF], [.charsetIs(gbk)]) }
    }

    @Test(arguments: [
        (UnwrapStep.xmlText(bytes("s")), "<?xml version='1.0'?><s>{\"a\":\"&amp;lt;\"}</s>", "{\"a\":\"&lt;\"}"),
        (.xmlText(bytes("s")), " <x><n:s xmlns:n='u'><![CDATA[{\"a\":1}]]></n:s></x>", "{\"a\":1}"),
        (.xmlText(bytes("*")), "<r>a<b/>c</r>", "ac"), (.xmlText(bytes("s")), "<r>a</r>", "<r>a</r>"),
        (.xmlText(bytes("s")), "{\"a\":1}", "{\"a\":1}"), (.xmlText(bytes("s")), "<s>", "<s>"),
        (.pointer(bytes("/d")), "{\"d\" : [1, 2.0] }", "[1, 2.0]"), (.pointer(bytes("/e")), "{\"d\":1}", "{\"d\":1}"),
        (.pointer(bytes("/d/1")), "{\"d\":[0,{\"a\":12345678901234567890}]}", "{\"a\":12345678901234567890}"),
        (.jsonString, "\"{\\\"a\\\":1.0}\"", "{\"a\":1.0}"), (.jsonString, "\"plain\"", "\"plain\""),
        (.jsonString, "{\"a\":1}", "{\"a\":1}"),
        (.unwrapKey(bytes("*_response")), "{\"sign\":1,\"a_response\":{ \"c\":1 }}", "{ \"c\":1 }"),
        (.unwrapKey(bytes("a*b*c")), "{\"axbyb\":1,\"axbybc\":2}", "2"), (.unwrapKey(bytes("*")), "[1]", "[1]"),
    ])
    func aStepTakesOffWhatItFinds(_ step: UnwrapStep, _ body: String, _ expected: String) throws {
        #expect(try left(bytes(body), [step]) == expected)
    }

    @Test func sixteenBitTextIsRefused() {
        #expect(throws: GatewayError.self) {
            try left([0xFF, 0xFE, 0x7B, 0], [.bom])
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
