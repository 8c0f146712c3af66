import Bytes
import HTTPWire
import Testing

@Suite("Answer heads of an upstream")
struct UpstreamHeadTests {
    /// Feeds lines as libcurl does: each up to and with its line feed.
    private func feed(_ input: String, _ builder: inout UpstreamHeadBuilder) -> WireFault? {
        var rest = utf8(input)[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            let line = rest[..<end]
            rest = rest[end...]
            do throws(WireFault) { try builder.line(line.span) } catch { return error }
        }
        return nil
    }

    @Test(arguments: [
        ("200 OK\r\nTransfer-Encoding: chunked\r\n", 200, ResponseFraming.chunked),
        ("200 OK\r\nContent-Length: 2\r\n", 200, .length(2)),
        ("200 OK\r\nX: y\r\n", 200, .close), ("200 \r\nContent-Length: 0002\r\n", 200, .length(2)),
        ("200\r\nContent-Length: 0\r\n", 200, .length(0)), ("204 No Content\r\nContent-Length: 5\r\n", 204, .none),
        ("304 Not Modified\r\nContent-Length: 500\r\n", 304, .none),
        ("200 d\u{E9}j\u{E0} vu\r\ntransfer-encoding:\tCHUNKED \r\n", 200, .chunked),
        ("599 <b>\r\n", 599, .close), ("612 no such file\r\n", 612, .close), ("999\r\n", 999, .close),
        ("302 X\r\nLocation: //evil.example/x\r\nContent-Length: 0\r\n", 302, .length(0)),
    ])
    func passed(_ input: String, _ status: Int, _ framing: ResponseFraming) {
        var builder = UpstreamHeadBuilder()
        #expect(feed("HTTP/1.1 " + input + "\r\n", &builder) == nil)
        #expect(builder.isFinalComplete && !builder.isInterim)
        #expect(builder.status == status)
        #expect(builder.framing == framing)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 4\r\n", WireFault.duplicateContentLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: +2\r\n", .badContentLength),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n",
            .conflictingLength
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2, 4\r\n", .badContentLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: abc\r\n", .badContentLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n", .badContentLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: +2\r\n", .badContentLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: -2\r\n", .badContentLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2 2\r\n", .badContentLength),
        ("HTTP/1.1 200 OK\r\nContent-Length:\r\n", .badContentLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n", .badContentLength),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n", .conflictingLength),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n", .conflictingLength),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n", .badTransferEncoding),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n", .badTransferEncoding),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, identity\r\n", .badTransferEncoding),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", .badTransferEncoding),
        ("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n", .badTransferEncoding),
        ("HTTP/1.1 99 X\r\n", .badStatus), ("HTTP/1.1 20 X\r\n", .badStatus), ("HTTP/1.1 2000 X\r\n", .badStatus),
        ("HTTP/1.1 2x0 X\r\n", .badStatus), ("HTTP/1.1 000 X\r\n", .badStatus), ("HTTP/1.1 6000\r\n", .badStatus),
        ("HTTP/1.1 099 X\r\n", .badStatus), ("HTTP/1.1 200OK\r\n", .badStatus), ("HTTP/1.1 +20 X\r\n", .badStatus),
        ("HTTP/1.1 2\r\n", .badStatusLine), ("HTTP/1.1  200 OK\r\n", .badStatus),
        ("HTTP/1.1 101 Switching\r\n", .unsolicitedUpgrade),
        ("HTTP/1.1 200 <script>\rX: y\r\n", .badStatusLine), ("HTTP/1.1 200 a\u{0}b\r\n", .badStatusLine),
        ("ok no http at all\r\n", .badStatusLine), ("ICY 200 OK\r\n", .badStatusLine),
        ("SSH-2.0-OpenSSH_9.2\r\n", .badStatusLine),
        ("http/1.1 200 OK\r\n", .badStatusLine), ("HTTP/1.9 200 OK\r\n", .badVersion),
        ("HTTP/2.0 200 OK\r\n", .badVersion),
        ("HTTP/2 200 \r\n", .badVersion), ("HTTP/1.10 200 OK\r\n", .badVersion), ("\r\n", .badStatusLine),
        ("HTTP/1.1 200 OK\r\nA: b", .badLineEnd), ("HTTP/1.1 200 OK\r\nA: b\r\r\n", .badFieldValue),
        ("HTTP/1.1 200 OK\r\nA: b\n c\n", .obsoleteFold),
        ("HTTP/1.1 200 OK\r\nX: a\rSet-Cookie: sid=EVIL\r\n", .badFieldValue),
        ("HTTP/1.1 200 OK\r\nX: a\u{0}\r\n", .badFieldValue),
        ("HTTP/1.1 200 OK\r\nX: a\u{7F}\r\n", .badFieldValue),
        ("HTTP/1.1 200 OK\r\nContent-Length 2\r\n", .badFieldName), ("HTTP/1.1 200 OK\r\n : 2\r\n", .obsoleteFold),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding : gzip\r\n", .badTransferEncoding),
        ("HTTP/1.1 200 OK\r\ngarbage line\r\n", .badFieldName), ("HTTP/1.1 200 OK\r\n: v\r\n", .badFieldName),
        ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n", .obsoleteFold), ("HTTP/1.1 200 OK\r\n\tA: b\r\n", .obsoleteFold),
        ("HTTP/1.1 200 OK\r\nA: b\r\nHTTP/1.1 200 OK\r\n", .unexpectedLine),
    ])
    func refused(_ input: String, _ fault: WireFault) {
        var builder = UpstreamHeadBuilder()
        #expect(feed(input, &builder) == fault)
    }

    /// RFC 9112 2.2 and 5.1, RFC 9110 8.6: what a recipient may take from small devices.
    @Test(arguments: [
        "HTTP/1.1 200 OK\nX: y\nContent-Length: 2\n\n", "HTTP/1.1 200 OK\r\nX: y\nContent-Length: 2\r\n\n",
        "HTTP/1.1 200 OK\r\nX : y\r\nContent-Length \t: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 2\r\ncontent-length: 02\r\n\r\n",
    ])
    func sloppy(_ input: String) {
        var builder = UpstreamHeadBuilder()
        #expect(feed(input, &builder) == nil)
        #expect(builder.isFinalComplete && builder.framing == .length(2) && builder.fields.count == 2)
        #expect(text(builder.fields.name(at: 0)) == "X" && text(builder.fields.value(at: 0)) == "y")
        #expect(text(builder.fields.name(at: 1)) == "Content-Length" && text(builder.fields.value(at: 1)) == "2")
    }

    @Test(arguments: ["Content-Length : 2", "Transfer-Encoding\t: chunked"])
    func whatAnotherReaderOfTheSameLinesWouldNotSee(_ line: String) {
        var builder = UpstreamHeadBuilder(framesItself: false)
        #expect(feed("HTTP/1.1 200 OK\r\n\(line)\r\n\r\n", &builder) == .badFieldName)
        builder = UpstreamHeadBuilder(framesItself: false)
        #expect(feed("HTTP/1.1 200 OK\r\nX : y\r\n\r\n", &builder) == nil)
    }

    @Test(arguments: [
        ("Content-Length: abc", "bad_content_length: field Content-Length"),
        ("X-Name: a\u{1}b", "bad_field_value: field X-Name"), ("X Name: a", "bad_field_name: field X"),
        ("Server", "bad_field_name: field Server"),
        ("Transfer-Encoding: gzip", "bad_transfer_encoding: field Transfer-Encoding"),
        (" folded", "obs_fold"),
        (String(repeating: "a", count: 90) + " b", "bad_field_name: field " + String(repeating: "a", count: 64)),
    ])
    func whatARefusalIsAbout(_ line: String, _ detail: String) throws {
        var builder = UpstreamHeadBuilder()
        let fault = try #require(feed("HTTP/1.1 200 OK\r\nContent-Type: a\r\n\(line)\r\n", &builder))
        #expect(builder.detail(of: fault) == detail)
    }

    @Test(arguments: [
        ("200 OK", nil), ("200 Ok", "Ok"), ("200 ", ""), ("200", ""),
        ("403  Permission check failed \t", "Permission check failed"),
        ("612 no such file", "no such file"), ("612", nil), ("200 d\u{E9}j\u{E0}", "d\u{E9}j\u{E0}"),
    ])
    func wordsBehindTheStatus(_ line: String, _ words: String?) {
        var builder = UpstreamHeadBuilder()
        #expect(feed("HTTP/1.1 103 Early words\r\n\r\nHTTP/1.1 \(line)\r\n", &builder) == nil)
        #expect(builder.reason.map { text($0[...]) } == words)
    }

    @Test(arguments: [
        ("HTTP/1.1 1000 X\r\n", "bad_status: 1000"), ("HTTP/1.1 42 X\r\n", "bad_status: 42"),
        ("HTTP/1.1 123456789012\r\n", "bad_status: 12345678"), ("HTTP/1.1    \r\n", "bad_status"),
        ("HTTP/1.9 200 OK\r\n", "bad_version"),
    ])
    func aRefusedStatusIsTold(_ line: String, _ detail: String) throws {
        var builder = UpstreamHeadBuilder()
        let fault = try #require(feed(line, &builder))
        #expect(builder.detail(of: fault) == detail)
    }

    @Test func interimFieldsDoNotSurvive() {
        var builder = UpstreamHeadBuilder()
        #expect(feed("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nSet-Cookie: a=EVIL\r\n\r\n", &builder) == nil)
        #expect(builder.isInterim && !builder.isFinalComplete && builder.framing == .none)
        #expect(feed("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", &builder) == nil)
        #expect(builder.isFinalComplete && builder.fields.count == 1)
        #expect(text(builder.fields.name(at: 0)) == "Content-Length")
    }

    @Test func trailersAreCheckedAndDropped() {
        var builder = UpstreamHeadBuilder()
        #expect(feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", &builder) == nil)
        builder.bodyBegan()
        #expect(feed("Set-Cookie: sid=EVIL\r\nContent-Length: 5\r\n\r\n", &builder) == nil)
        #expect(builder.fields.count == 1 && builder.framing == .chunked && builder.isFinalComplete)
        #expect(feed("HTTP/1.1 200 OK\r\n", &builder) == .badFieldName)
    }

    @Test func bodyWithoutAHeadIsNotComplete() {
        var builder = UpstreamHeadBuilder()
        builder.bodyBegan()
        #expect(!builder.isFinalComplete)
        #expect(feed("HTTP/1.1 100 Continue\r\n\r\n", &builder) == nil)
        builder.bodyBegan()
        #expect(!builder.isFinalComplete)
    }

    @Test func limits() {
        let many = { (count: Int) in "HTTP/1.1 200 OK\r\n" + String(repeating: "A: b\r\n", count: count) }
        var builder = UpstreamHeadBuilder()
        #expect(feed(many(200), &builder) == nil)
        builder = UpstreamHeadBuilder()
        #expect(feed(many(201), &builder) == .tooManyFields)
        let interim = { (count: Int) in String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: count) }
        builder = UpstreamHeadBuilder(maxInterim: 3)
        #expect(feed(interim(3), &builder) == nil && builder.interimCount == 3)
        #expect(feed(interim(1), &builder) == .tooManyInterim)
        builder = UpstreamHeadBuilder()
        let large =
            "HTTP/1.1 200 OK\r\n" + String(repeating: "A: " + String(repeating: "b", count: 65_000) + "\r\n", count: 5)
        #expect(feed(large, &builder) == .headTooLarge)
    }

    @Test func http2OnlyWhenTold() {
        var builder = UpstreamHeadBuilder(allowsHTTP2: true)
        #expect(feed("HTTP/2 200 \r\ncontent-length: 3\r\n\r\n", &builder) == nil)
        #expect(builder.status == 200 && builder.framing == .length(3))
    }

    @Test func declaredLengthSurvivesForHeadRequests() {
        var builder = UpstreamHeadBuilder()
        #expect(feed("HTTP/1.1 304 X\r\nContent-Length: 500\r\n\r\n", &builder) == nil)
        #expect(builder.declaredLength == 500 && builder.framing == .none)
    }
}
