import HTTPWire
import Testing

@Suite struct MethodTests {
    private func method(_ token: String, extensions: [String]) -> String {
        var limits = WireLimits()
        limits.extensionMethods = extensions.map { utf8($0) }
        let bytes = utf8("\(token) /a HTTP/1.1\r\nHost: a\r\n\r\n")
        switch RequestHeadParser.parse(bytes.span, limits: limits) {
        case .complete(let head, _): return head.method.name
        case .refused(let refusal): return refusal.reason.rawValue
        case .incomplete: return "incomplete"
        }
    }

    @Test func onlyWhatIsListedIsTaken() {
        let listed = ["PROPFIND", "X!", "CONNECT"]
        for token in ["GET", "OPTIONS", "PROPFIND", "X!"] { #expect(method(token, extensions: listed) == token) }
        for token in ["propfind", "PROPFINDS", "MKCOL", "X"] {
            #expect(method(token, extensions: listed) == "unknown_method")
        }
        #expect(method("PROPFIND", extensions: []) == "unknown_method")
        for token in ["CONNECT", "TRACE"] { #expect(method(token, extensions: listed) == "refused_method") }
    }

    @Test(arguments: [
        ("GET", true), ("PUT", true), ("POST", false), ("PATCH", false), ("PROPFIND", true), ("MKCOL", true),
        ("LOCK", false), ("UNLOCK", true), ("PURGE", false), ("propfind", false), ("LIST", false),
    ])
    func idempotence(name: String, isIdempotent: Bool) throws {
        let method = try #require(RequestMethod(name))
        #expect(method.isIdempotent == isIdempotent)
        #expect(method.name == name && method.bytes == utf8(name))
    }

    @Test(arguments: ["", "A B", "CONNECT", "TRACE", "PRI", "A\u{E9}", String(repeating: "A", count: 32)])
    func whatIsNoMethod(name: String) { #expect(RequestMethod(name) == nil) }

    @Test func commonMethodsAreThemselves() {
        for method in RequestMethod.common { #expect(RequestMethod(method.name) == method) }
    }
}
