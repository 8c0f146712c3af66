import Bytes
import HTTPWire
import Testing

@Suite("Host rule, hop-by-hop fields, dates, answer heads")
struct HeadPartsTests {
    // MARK: Host rule

    @Test(arguments: [
        ("gw.test", true), ("GW.Test", true), ("gw.test:80", true), ("gw.test:65535", true), ("gw.test:8080", true),
        ("gw.test:", false), ("gw.test:65536", false), ("gw.test:-1", false), ("gw.test:abc", false),
        ("gw.test.", false),
        ("gw.test.evil.example", false), ("xgw.test", false), ("user@gw.test", false), ("gw.test@x", false),
        ("", false), (":80", false),
        ("[::1]", true), ("[::1]:9", true), ("[::1", false), ("::1", false), ("[::1]x", false), ("[:]", false),
        ("[gw]", false),
        ("..gw.test", false), ("gw..test", false), ("my_service:9000", true), ("my_service", false),
        ("my_service:9001", false),
        ("gw.test/x", false), ("gw.test%2e", false), ("gw.test\u{7F}", false), ("127.0.0.1.nip.io", false),
    ])
    func hostRule(_ host: String, _ allowed: Bool) throws {
        let rule = try #require(HostRule(allowing: ["gw.test", "[::1]", "my_service:9000"].map(utf8)))
        let bytes = utf8(host)
        #expect(rule.allows(bytes.span) == allowed)
    }

    @Test func hostRuleChecksBothPlaces() throws {
        let rule = try #require(HostRule(allowing: [utf8("gw.test")]))
        #expect(HostRule(allowing: [utf8("a b")]) == nil)
        let check = { (text: String) in parsed(text).flatMap { rule.check($0) } }
        #expect(check("GET / HTTP/1.1\r\nHost: gw.test\r\n\r\n") == nil)
        #expect(check("GET http://gw.test/ HTTP/1.1\r\nHost: evil.example\r\n\r\n")?.status == 421)
        #expect(check("GET http://evil.example/ HTTP/1.1\r\nHost: gw.test\r\n\r\n")?.status == 421)
        #expect(check("GET / HTTP/1.0\r\n\r\n") == nil)
        #expect(check("GET / HTTP/1.1\r\nHost: x\r\n\r\n")?.close == false)
        #expect(check("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n")?.close == true)
    }

    // MARK: Hop-by-hop

    private func block(_ names: [String], connection: String? = nil) -> PairBlock {
        var block = PairBlock()
        for name in names { append(name, "v", to: &block) }
        if let connection { append("Connection", connection, to: &block) }
        return block
    }

    private func append(_ name: String, _ value: String, to block: inout PairBlock) {
        let (name, value) = (utf8(name), utf8(value))
        block.append(name: name.span, value: value.span)
    }

    private func names(_ block: PairBlock) -> [String] { block.entries.indices.map { text(block.name(at: $0)) } }

    @Test func requestFields() {
        let dropped = [
            "Host", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "PROXY", "te", "Trailer", "Upgrade",
            "HTTP2-Settings", "Expect",
            "Content-Length", "Transfer-Encoding", "Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-Real-IP",
            "X-Client-IP",
            "True-Client-IP", "X-Original-URL", "X-Rewrite-URL", "X-Foo",
        ]
        let kept = [
            "Accept", "Authorization", "Cookie", "Content-Type", "Proxied", "Hosts", "X-Foo-Bar", "Tea", "Origin",
            "Close",
        ]
        var fields = block(dropped + kept, connection: "close, x-foo ,, Keep-Alive")
        HopByHop.strip(request: &fields)
        #expect(names(fields) == kept)
    }

    @Test func responseFields() {
        let dropped = [
            "Keep-Alive", "Proxy-Authenticate", "TE", "Trailer", "Upgrade", "Transfer-Encoding", "Content-Length",
            "Strict-Transport-Security", "Alt-Svc", "Clear-Site-Data", "Service-Worker-Allowed", "Refresh",
            "Access-Control-Allow-Origin",
            "access-control-allow-private-network", "X-Hop",
        ]
        let kept = ["Date", "Content-Type", "ETag", "Set-Cookie", "Retry-After", "Access-Controls", "Server"]
        var fields = block(dropped + kept, connection: "X-Hop")
        HopByHop.strip(response: &fields)
        #expect(names(fields) == kept)
    }

    // MARK: Dates

    @Test(
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)])
    func fixdate(_ unix: Int64, _ expected: String) {
        var output: [UInt8] = []
        HTTPDate.append(unix: unix, to: &output)
        #expect(text(output) == expected)
        #expect(HTTPDate.parse(output.span) == unix)
    }

    @Test(
        arguments: [
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Wed Nov 16 08:49:37 1994", 784_975_777), ("Wednesday, 01-Jan-20 00:00:00 GMT", 1_577_836_800),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_799),
            ("Sun, 6 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:37", nil),
            ("Sun, 06 Nov 1994 08:49:37 UTC", nil),
            ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, 31 Feb 1994 08:49:37 GMT", nil),
            ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
            ("Sxn, 06 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 nov 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:37 GMT ", nil),
            ("Sun, +6 Nov 1994 08:49:37 GMT", nil), ("0", nil), ("", nil), ("Sun Nov 06 08:49:37 1994 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:37 GMT and much more text behind it", nil),
        ] as [(String, Int64?)])
    func otherDates(_ input: String, _ expected: Int64?) {
        let bytes = utf8(input)
        #expect(HTTPDate.parse(bytes.span) == expected)
    }

    @Test func everyDayOfFourCenturiesSurvives() {
        var output: [UInt8] = []
        for day in stride(from: Int64(-62_000), to: 85_000, by: 1) {
            output.removeAll(keepingCapacity: true)
            HTTPDate.append(unix: day * 86_400 + 43_200, to: &output)
            guard HTTPDate.parse(output.span) == day * 86_400 + 43_200 else {
                Issue.record("\(text(output))")
                return
            }
        }
    }

    @Test func extremeTimesDoNotTrap() {
        for unix in [Int64.min, .max] {
            var output: [UInt8] = []
            HTTPDate.append(unix: unix, to: &output)
            #expect(output.count == 29)
        }
    }

    // MARK: Answer heads

    @Test func answerHead() {
        var output: [UInt8] = []
        let date = utf8("D")
        ResponseHeadWriter.append(
            status: 200, fields: block(["A"]), framing: .length(12), keepAlive: true, date: date.span, to: &output)
        #expect(text(output) == "HTTP/1.1 200 OK\r\nA: v\r\nDate: D\r\nContent-Length: 12\r\n\r\n")
    }

    @Test func answerHeadVariants() {
        let write = { (fields: [String], framing: ResponseHeadWriter.Framing, keepAlive: Bool, http10: Bool) in
            var output: [UInt8] = []
            let date = utf8("D")
            ResponseHeadWriter.append(
                status: 421, fields: self.block(fields), framing: framing, keepAlive: keepAlive, isHTTP10: http10,
                date: date.span,
                to: &output)
            return text(output).replacing("HTTP/1.1 421 Misdirected Request\r\n", with: "")
        }
        #expect(write(["date"], .chunked, true, false) == "date: v\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(write(["Date"], .none, false, false) == "Date: v\r\nConnection: close\r\n\r\n")
        #expect(
            write(["Date"], .length(0), true, true) == "Date: v\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n")
        #expect(write(["Date"], .close, true, true) == "Date: v\r\nConnection: close\r\n\r\n")
    }

    @Test func fieldsCannotSplitAnAnswer() {
        var output: [UInt8] = []
        let value = utf8("a\r\nSet-Cookie: x\u{0}")
        ResponseHeadWriter.appendField("X", value: value.span, to: &output)
        #expect(text(output) == "X: a  Set-Cookie: x \r\n")
    }

    @Test func statusLines() {
        for (status, line) in [
            (404, "404 Not Found"), (299, "299 "), (7, "500 Internal Server Error"), (503, "503 Service Unavailable"),
        ] {
            var output: [UInt8] = []
            ResponseHeadWriter.appendStatusLine(status, to: &output)
            #expect(text(output) == "HTTP/1.1 \(line)\r\n")
        }
    }
}
