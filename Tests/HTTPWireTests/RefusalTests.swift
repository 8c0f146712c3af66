import Bytes
import HTTPWire
import Testing

@Suite("Request heads: what is refused, and how early")
struct RefusalTests {
    /// The shortest input that can never become a request; one byte less is still open.
    @Test(arguments: [
        ("\n", WireRefusal.Reason.bareLineFeed), (" ", .badRequestLine), ("\u{16}", .badRequestLine),
        ("\r\r", .bareCarriageReturn),
        ("\r\n\r", .badRequestLine), ("GET\t", .badRequestLine), ("GET\n", .bareLineFeed), ("get ", .unknownMethod),
        ("FOO ", .unknownMethod), ("TRACE ", .refusedMethod), ("CONNECT ", .refusedMethod), ("GET  ", .badRequestLine),
        ("GET /\u{7F}", .badRequestLine), ("GET /\r", .badRequestLine), ("GET /# ", .badTarget),
        ("GET /%zz ", .badTarget),
        ("GET /a/../b ", .dotSegment), ("GET /x?%00 ", .badTarget), ("GET x ", .badTarget),
        ("GET /  ", .badRequestLine),
        ("GET / h", .badRequestLine), ("GET / HTTX", .badVersion), ("GET / HTTP/2", .unsupportedVersion),
        ("GET / HTTP/1.1\n", .bareLineFeed), ("GET / HTTP/1.10", .badRequestLine),
        ("GET / HTTP/1.1\rH", .bareCarriageReturn),
        ("GET / HTTP/1.1\r\n ", .obsoleteFold), ("GET / HTTP/1.1\r\nA ", .badFieldName),
        ("GET / HTTP/1.1\r\n:", .badFieldName),
        ("GET / HTTP/1.1\r\nA\n", .bareLineFeed), ("GET / HTTP/1.1\r\nA: b\n", .bareLineFeed),
        ("GET / HTTP/1.1\r\nA: \u{0}", .badFieldValue), ("GET / HTTP/1.1\r\nA: 12345678\u{1}", .badFieldValue),
        ("GET / HTTP/1.1\r\nA: 1234567890\u{7F}", .badFieldValue), ("GET / HTTP/1.1\r\nA: b\rc", .bareCarriageReturn),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n", .duplicateHost), ("GET / HTTP/1.1\r\nHost: a b\r\n", .badHost),
        ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n", .duplicateContentLength),
        ("POST / HTTP/1.1\r\nContent-Length: 18446744073709551616\r\n", .badContentLength),
        ("POST / HTTP/1.1\r\ncontent-length: 1\r\nTransfer-Encoding: chunked\r\n", .conflictingLength),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n", .conflictingLength),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n", .unsupportedTransferEncoding),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n", .badTransferEncoding),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n", .badTransferEncoding),
    ])
    func earliest(_ input: String, _ reason: WireRefusal.Reason) {
        let bytes = utf8(input)
        #expect(refusal(input) == reason)
        let shorter = bytes.dropLast()
        guard case .incomplete = RequestHeadParser.parse(shorter.span) else {
            Issue.record("decided before the last byte")
            return
        }
    }

    @Test(arguments: [
        "/a/.", "/./a", "/..", "/a/%2e%2E/b", "/a/.%2e", "/a%2f..%2Fb", "/a%5c..%5cb", "/..;x=1/b", "/%2e",
        "http://gw.test/../a",
    ])
    func dotSegments(_ target: String) {
        #expect(refusal("GET \(target) HTTP/1.1\r\n") == .dotSegment)
    }

    @Test(arguments: [
        "/...", "/a..b", "/.a", "/a.", "/a./b", "/?/../", "/a?b=..", "//x", "/;..", "/a;.b/c", "/%252e%252e/",
    ])
    func noDotSegments(_ target: String) throws {
        #expect(text(try #require(parsed("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")).originTarget) == target)
    }

    @Test func allReasonsHaveAStatusAndALabel() {
        let statuses: Set<Int> = [400, 405, 413, 414, 417, 421, 431, 501, 505]
        for reason in WireRefusal.Reason.allCases {
            #expect(statuses.contains(reason.status))
            #expect(reason.rawValue.utf8.allSatisfy { $0 == 0x5F || ASCII.isAlpha($0) })
        }
    }

    // MARK: Limits, each at its edge

    @Test func requestLineLimit() {
        var limits = WireLimits()
        limits.requestLine = 30
        let line = { (count: Int) in "GET /" + String(repeating: "a", count: count - 16) + " HTTP/1.1\r\n" }
        #expect(parsed(line(30) + "Host: a\r\n\r\n", limits: limits) != nil)
        #expect(refusal(line(31), limits: limits) == .requestLineTooLong)
        #expect(refusal("GET /" + String(repeating: "a", count: 25), limits: limits) == .requestLineTooLong)
        #expect(refusal("GET /" + String(repeating: "a", count: 24), limits: limits) == nil)
        // The empty line before it does not count.
        #expect(parsed("\r\n" + line(30) + "Host: a\r\n\r\n", limits: limits) != nil)
    }

    @Test func headLimit() {
        var limits = WireLimits()
        limits.head = 64
        let sized = { (count: Int) in
            let start = "GET / HTTP/1.1\r\nHost: a\r\nB: "
            return start + String(repeating: "b", count: count - start.utf8.count - 4) + "\r\n\r\n"
        }
        #expect(parsed(sized(64), limits: limits) != nil)
        #expect(refusal(sized(65), limits: limits) == .headTooLarge)
        #expect(refusal(text(utf8(sized(90)).prefix(64)), limits: limits) == .headTooLarge)
        #expect(refusal(text(utf8(sized(90)).prefix(63)), limits: limits) == nil)
    }

    @Test func fieldLimits() {
        let many = { (count: Int) in
            "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "b_: c\r\n", count: count) + "\r\n"
        }
        #expect(parsed(many(99)) != nil)
        #expect(refusal(many(100)) == .tooManyFields)
        let long = { (count: Int) in
            "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "n", count: count) + ": c\r\n\r\n"
        }
        #expect(parsed(long(256)) != nil)
        #expect(refusal(long(257)) == .fieldNameTooLong)
        #expect(refusal(text(utf8(long(257)).prefix(25 + 257))) == .fieldNameTooLong)
    }

    @Test func refusedParserStaysRefused() {
        var parser = RequestHeadParser()
        for input in ["GET\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"] {
            let bytes = utf8(input)
            guard case .refused(let refusal) = parser.parse(bytes.span) else {
                Issue.record("accepted")
                continue
            }
            #expect(refusal.reason == .bareLineFeed && refusal.close)
        }
        parser.reset()
        #expect(parser.isIdle)
    }

    @Test func extremeLimitsDoNotTrap() {
        var limits = WireLimits()
        (limits.requestLine, limits.head, limits.nameBytes) = (.max, .max, .max)
        #expect(parsed("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", limits: limits) != nil)
        (limits.requestLine, limits.head, limits.nameBytes) = (.min, .min, .min)
        #expect(refusal("GET / HTTP/1.1\r\n", limits: limits) != nil)
    }

    @Test func completeParserBeginsAnew() {
        var parser = RequestHeadParser()
        #expect(parser.isIdle)
        for target in ["/1", "/2", "/3"] {
            let bytes = utf8("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            guard case .complete(let head, _) = parser.parse(bytes.span) else {
                Issue.record("not complete")
                return
            }
            #expect(text(head.target) == target && head.fields.count == 1 && parser.isIdle)
        }
    }

    /// A byte-by-byte client with the largest head: each byte is looked at once. Quadratic work would be 5 * 10^8 steps.
    @Test(.timeLimit(.minutes(1))) func slowClientIsCheap() {
        let bytes = utf8("GET / HTTP/1.1\r\nHost: a\r\nB: " + String(repeating: "b", count: 32_000) + "\r\n\r\n")
        var parser = RequestHeadParser()
        let clock = ContinuousClock()
        let time = clock.measure {
            for count in 1..<bytes.count {
                let part = bytes[..<count]
                _ = parser.parse(part.span)
            }
        }
        guard case .complete = parser.parse(bytes.span) else {
            Issue.record("not complete")
            return
        }
        #expect(time < .seconds(2))
    }
}
