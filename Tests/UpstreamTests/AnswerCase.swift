/// One answer of an upstream that is more or less broken, and what must come of it.
struct AnswerCase: CustomStringConvertible, Sendable {
    enum Ending: Sendable { case open, fin, rst }
    enum Outcome: Equatable, Sendable {
        case passes(Int)
        /// Nothing of it reaches the delegate.
        case fails
        /// A failure; a part may have been delivered.
        case breaks
        case either
    }

    let title: String
    let method: String
    let parts: [(text: String, times: Int)]
    let ending: Ending
    let outcome: Outcome
    let body: String?
    /// May the connection carry another request? `nil`: as it likes.
    let reusable: Bool?

    var description: String { title }

    init(
        _ title: String, _ method: String, _ parts: [(String, Int)], _ ending: Ending, _ outcome: Outcome,
        body: String?,
        reusable: Bool?
    ) {
        (self.title, self.method, self.ending, self.outcome) = (title, method, ending, outcome)
        self.parts = parts.map { (text: $0.0, times: $0.1) }
        (self.body, self.reusable) = (body, reusable)
    }

    // swift-format-ignore
    static let all: [AnswerCase] = [
        AnswerCase("baseline chunked", "GET", [("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", 1)], .open, .passes(200), body: "ok", reusable: true),
        AnswerCase("CL 100, 2 bytes, FIN", "GET", [("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok", 1)], .fin, .breaks, body: nil, reusable: false),
        AnswerCase("CL 100, 2 bytes, RST", "GET", [("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok", 1)], .rst, .breaks, body: nil, reusable: false),
        AnswerCase("CL 2 then extra bytes", "GET", [("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokEXTRA", 1)], .open, .passes(200), body: "ok", reusable: false),
        AnswerCase("CL 2 then a whole second response", "GET", [("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL", 1)], .open, .passes(200), body: "ok", reusable: false),
        AnswerCase("equal CL twice", "GET", [("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok", 1)], .open, .either, body: nil, reusable: false),
        AnswerCase("differing CL", "GET", [("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\nok", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("CL list", "GET", [("HTTP/1.1 200 OK\r\nContent-Length: 2, 4\r\n\r\nok", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("CL word", "GET", [("HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nok", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("CL hex", "GET", [("HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n\r\nok", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("CL overflow", "GET", [("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nok", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("CL empty", "GET", [("HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\nok", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("CL and TE", "GET", [("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", 1)], .open, .either, body: "ok", reusable: false),
        AnswerCase("TE gzip,chunked", "GET", [("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("TE identity", "GET", [("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n2\r\nok\r\n0\r\n\r\n", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("TE chunked not final", "GET", [("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, identity\r\n\r\n2\r\nok\r\n0\r\n\r\n", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("chunk non-hex size", "GET", [("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZ\r\nok\r\n0\r\n\r\n", 1)], .fin, .breaks, body: nil, reusable: false),
        AnswerCase("chunk empty size", "GET", [("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\nok\r\n0\r\n\r\n", 1)], .fin, .breaks, body: nil, reusable: false),
        AnswerCase("chunk 17 digits", "GET", [("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nok\r\n0\r\n\r\n", 1)], .fin, .breaks, body: nil, reusable: false),
        AnswerCase("chunk no CRLF after data", "GET", [("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nokX\r\n0\r\n\r\n", 1)], .fin, .breaks, body: nil, reusable: false),
        AnswerCase("chunk LF only", "GET", [("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\nok\n0\n\n", 1)], .fin, .breaks, body: nil, reusable: false),
        AnswerCase("no last chunk, FIN", "GET", [("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", 1)], .fin, .breaks, body: nil, reusable: false),
        AnswerCase("last chunk without final CRLF, FIN", "GET", [("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n", 1)], .fin, .either, body: nil, reusable: false),
        AnswerCase("endless chunk size line", "GET", [("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 1), ("0000000000000000", 262144)], .fin, .breaks, body: nil, reusable: false),
        AnswerCase("1 MiB of trailers", "GET", [("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n", 1), ("X-T: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n", 18000), ("\r\n", 1)], .open, .either, body: nil, reusable: nil),
        AnswerCase("HEAD with body bytes", "HEAD", [("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 1)], .open, .passes(200), body: "", reusable: false),
        AnswerCase("204 with CL 5", "GET", [("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nEXTRA", 1)], .open, .passes(204), body: "", reusable: false),
        AnswerCase("304 with CL and no body", "GET", [("HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\nETag: \"x\"\r\n\r\n", 1)], .open, .passes(304), body: "", reusable: nil),
        AnswerCase("304 with body bytes", "GET", [("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nEXTRA", 1)], .open, .passes(304), body: "", reusable: false),
        AnswerCase("103 with headers then 200", "GET", [("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nSet-Cookie: a=EVIL\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 1)], .open, .passes(200), body: "ok", reusable: nil),
        AnswerCase("storm of 20,000 interim 102s", "GET", [("HTTP/1.1 102 Processing\r\n\r\n", 20000)], .open, .fails, body: nil, reusable: false),
        AnswerCase("status 99", "GET", [("HTTP/1.1 99 X\r\nContent-Length: 2\r\n\r\nok", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("status two digits", "GET", [("HTTP/1.1 20 X\r\nContent-Length: 2\r\n\r\nok", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("status four digits", "GET", [("HTTP/1.1 2000 X\r\nContent-Length: 2\r\n\r\nok", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("status non digit", "GET", [("HTTP/1.1 2x0 X\r\nContent-Length: 2\r\n\r\nok", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("status 600", "GET", [("HTTP/1.1 600 X\r\nContent-Length: 2\r\n\r\nok", 1)], .open, .passes(600), body: "ok", reusable: true),
        AnswerCase("status 999", "GET", [("HTTP/1.1 999 X\r\nContent-Length: 2\r\n\r\nok", 1)], .open, .passes(999), body: "ok", reusable: true),
        AnswerCase("status 1000", "GET", [("HTTP/1.1 1000 X\r\nContent-Length: 2\r\n\r\nok", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("reason phrase with CR and markup", "GET", [("HTTP/1.1 200 <script>\rX: y</script>\r\nContent-Length: 2\r\n\r\nok", 1)], .open, .either, body: nil, reusable: nil),
        AnswerCase("HTTP/0.9 body", "GET", [("ok no http at all", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("ICY", "GET", [("ICY 200 OK\r\n\r\nok", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("HTTP/1.9 line", "GET", [("HTTP/1.9 200 OK\r\nContent-Length: 2\r\n\r\nok", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("SSH banner", "GET", [("SSH-2.0-OpenSSH_9.2\r\n", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("TLS alert on plain port", "GET", [("\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}(", 1)], .fin, .fails, body: nil, reusable: false),
        AnswerCase("LF-only response", "GET", [("HTTP/1.1 200 OK\nContent-Length: 2\n\nok", 1)], .open, .either, body: nil, reusable: nil),
        AnswerCase("leading CRLF", "GET", [("\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 1)], .open, .either, body: nil, reusable: nil),
        AnswerCase("bare CR in value", "GET", [("HTTP/1.1 200 OK\r\nX: a\rSet-Cookie: sid=EVIL\r\nContent-Length: 2\r\n\r\nok", 1)], .open, .either, body: nil, reusable: nil),
        AnswerCase("framing field with space before colon", "GET", [("HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nokEXTRA", 1)], .fin, .either, body: nil, reusable: false),
        AnswerCase("line without colon", "GET", [("HTTP/1.1 200 OK\r\ngarbage line\r\nContent-Length: 2\r\n\r\nok", 1)], .open, .either, body: nil, reusable: nil),
        AnswerCase("empty name", "GET", [("HTTP/1.1 200 OK\r\n: v\r\nContent-Length: 2\r\n\r\nok", 1)], .open, .either, body: nil, reusable: nil),
        AnswerCase("scheme relative", "GET", [("HTTP/1.1 302 X\r\nLocation: //evil.example/x\r\nContent-Length: 0\r\n\r\n", 1)], .open, .passes(302), body: nil, reusable: nil),
        AnswerCase("https to http downgrade", "GET", [("HTTP/1.1 301 X\r\nLocation: http://UPSTREAM/plain\r\nContent-Length: 0\r\n\r\n", 1)], .open, .passes(301), body: nil, reusable: nil),
        AnswerCase("307 with body", "POST", [("HTTP/1.1 307 X\r\nLocation: http://evil.example/x\r\nContent-Length: 0\r\n\r\n", 1)], .open, .passes(307), body: nil, reusable: nil),
        AnswerCase("file scheme", "GET", [("HTTP/1.1 302 X\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n", 1)], .open, .passes(302), body: nil, reusable: nil),
        AnswerCase("loop to itself", "GET", [("HTTP/1.1 302 X\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n", 1)], .open, .passes(302), body: nil, reusable: nil),
    ]
}
