import Bytes
import HTTPWire
import Testing

@Suite("Request heads: what they say")
struct RequestHeadTests {
    @Test(arguments: [
        ("content-type", true), (" a ,b,, c-d\t", true), ("", true), ("a b", false), ("a, b:", false), ("a;q=1", false),
    ])
    func listsOfTokens(list: String, isValid: Bool) {
        let bytes = utf8(list)
        #expect(CommaList.holdsTokens(bytes.span) == isValid)
    }

    @Test func originForm() throws {
        let head = try #require(
            parsed("POST /a%2Fb?x=1&y HTTP/1.1\r\nHost: gw.test:8080\r\nContent-Length: 010\r\nA:  b c \t\r\n\r\n"))
        #expect(head.method == .post)
        #expect(text(head.target) == "/a%2Fb?x=1&y")
        #expect(text(head.path) == "/a%2Fb")
        #expect(head.query.map(text) == "x=1&y")
        #expect(text(head.originTarget) == "/a%2Fb?x=1&y")
        #expect(head.authority == nil)
        #expect(head.host.map(text) == "gw.test:8080")
        #expect(head.framing == .length(10))
        #expect(head.keepAlive && !head.isHTTP10 && !head.expectsContinue)
        #expect(head.fields.count == 3)
        #expect(head.fields.first("a", folding: true).map(text) == "b c")
    }

    @Test(arguments: [
        ("http://gw.test/x?y", "/x", "y", "/x?y"), ("HTTP://gw.test", "/", nil, "/"),
        ("http://gw.test?q=1", "/", "q=1", "/?q=1"),
        ("http://gw.test:80/", "/", nil, "/"), ("http://gw.test?", "/", "", "/?"),
    ])
    func absoluteForm(_ target: String, _ path: String, _ query: String?, _ origin: String) throws {
        let head = try #require(parsed("GET \(target) HTTP/1.1\r\nHost: gw.test\r\n\r\n"))
        #expect(text(head.target) == target)
        #expect(text(head.path) == path)
        #expect(head.query.map(text) == query)
        #expect(text(head.originTarget) == origin)
        #expect(head.authority.map(text)?.hasPrefix("gw.test") == true)
        #expect(head.fields.count == 1)
        #expect(head.host.map(text) == "gw.test")
    }

    @Test func asteriskForm() throws {
        let head = try #require(parsed("OPTIONS * HTTP/1.1\r\nHost: gw.test\r\n\r\n"))
        #expect(head.isAsteriskForm)
        #expect(text(head.originTarget) == "*")
        #expect(refusal("GET * HTTP/1.1\r\n") == .badTarget)
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
        ("HTTP/1.1", "Connection: x, CLOSE ,y\r\n", false),
        ("HTTP/1.1", "Connection: keep-alive\r\nConnection: Close\r\n", false),
        ("HTTP/1.1", "Connection: closed\r\n", true),
        ("HTTP/1.0", "", false), ("HTTP/1.0", "Connection: Keep-Alive\r\n", true),
        ("HTTP/1.0", "Connection: keep-alive, close\r\n", false), ("HTTP/1.9", "", true),
    ])
    func keepAlive(_ version: String, _ fields: String, _ expected: Bool) throws {
        let head = try #require(parsed("GET / \(version)\r\nHost: a\r\n\(fields)\r\n"))
        #expect(head.keepAlive == expected)
        #expect(head.isHTTP10 == (version == "HTTP/1.0"))
    }

    @Test(arguments: [
        ("HTTP/1.1", "Content-Length: 5\r\n", true), ("HTTP/1.1", "Transfer-Encoding: chunked\r\n", true),
        ("HTTP/1.1", "", false),
        ("HTTP/1.1", "Content-Length: 0\r\n", false), ("HTTP/1.0", "Content-Length: 5\r\n", false),
    ])
    func expectation(_ version: String, _ framing: String, _ expected: Bool) throws {
        let head = try #require(parsed("POST / \(version)\r\nHost: a\r\nExpect: 100-Continue\r\n\(framing)\r\n"))
        #expect(head.expectsContinue == expected)
    }

    @Test func foreignExpectation() {
        #expect(refusal("GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n") == .badExpectation)
        #expect(parsed("GET / HTTP/1.0\r\nHost: a\r\nExpect: 200-ok\r\n\r\n") != nil)
    }

    @Test func underscoreNamesAreDroppedAndCounted() throws {
        let head = try #require(
            parsed(
                "GET / HTTP/1.1\r\nX_A: 1\r\nHost: a\r\nContent_Length: 9\r\nB: 2\r\n_c: 3\r\nX_Forwarded_For: 4\r\n\r\n"
            ))
        #expect(head.fields.count == 2)
        #expect(head.framing == .none)
        #expect(head.droppedUnderscoreNames == 4)
        #expect(text(head.droppedUnderscoreName(at: 0)) == "X_A")
        let kept = head.fieldsKeepingUnderscores { text($0) != "_c" }
        #expect(kept.entries.indices.map { text(kept.name(at: $0)) } == ["X_A", "Host", "B"])
    }

    @Test func hostOfHTTP10MayBeMissing() throws {
        #expect(try #require(parsed("GET / HTTP/1.0\r\n\r\n")).host == nil)
        #expect(refusal("GET / HTTP/1.1\r\n\r\n") == .missingHost)
    }

    @Test func bytesBehindTheHeadAreLeft() throws {
        let bytes = utf8("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /2")
        guard case .complete(_, let consumed) = RequestHeadParser.parse(bytes.span) else {
            Issue.record("not complete")
            return
        }
        #expect(consumed == bytes.count - 6)
    }
}
