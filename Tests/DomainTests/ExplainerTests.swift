import Bytes
import Cryptography
import Expressions
import Testing

@testable import Domain

@Suite struct ExplainerTests {
    private func explain(
        _ plan: ShopPlan = ShopPlan(), _ method: String = "POST", _ url: String = "/api/User?x=1",
        fields: [(String, String)] = [("Content-Type", "application/x-www-form-urlencoded")], body: String? = "a=1",
        session: [(String, String)] = [("token", "t0k")]
    ) throws -> Explanation {
        var input = ExplainInput(method: method, url: url)
        input.fields = fields.map { (name: $0.0, value: $0.1) }
        input.body = body.map { bytes($0) }
        input.session = session.map { (name: $0.0, value: $0.1) }
        input.now = (1_492_495_675, 0)
        return Explainer(plan: try plan.make(), recorder: plan.recorder, trail: nil).explain(input)
    }

    @Test func theWholeRequestIsTold() throws {
        let result = try explain()
        #expect(result.refusal == nil)
        #expect(result.route?.name == "/api/**" && result.upstream?.name == "shop")
        #expect(result.rewritten == bytes("/i.php?m=User&x=1"))
        let signed = bytes("1t0k1492495675s3cret")
        let sign = text(Hex.encode(Digest.hash(.md5, signed.span).span))
        #expect(result.computed.map { text($0.name) } == ["token", "time", "sign", "sign", "X-Time"])
        #expect(result.computed.map(\.place) == [.form, nil, nil, .form, .header])
        #expect(result.computed[2].calls == [CryptographicCall(function: "hash.md5", message: signed)])
        #expect(result.computed.filter { !$0.calls.isEmpty }.count == 1)
        let body = "a=1&token=t0k&sign=\(sign)"
        let wire = """
            POST /base/i.php?m=User&x=1 HTTP/1.1\r\nHost: shop.test\r\n\
            Content-Type: application/x-www-form-urlencoded\r\nAccept-Encoding: identity\r\n\
            X-Time: 1492495675\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        #expect(result.request.map { text($0.bytes) } == wire)
        #expect(result.session?.expired == "status == 440")
    }

    @Test func unknownSessionValuesArePlaceholders() throws {
        let result = try explain(session: [])
        #expect(result.session?.captures.map(\.isGiven) == [false])
        #expect(result.computed.first?.value == bytes("<session.token>"))
        #expect(result.request?.body.starts(with: bytes("a=1&token=%3Csession.token%3E&sign=")) == true)
    }

    @Test(arguments: [
        (RoutePlan.LoginRule.optional, false, Explanation.Session.State.guest), (.optional, true, .attached),
        (.never, true, .unused), (.required, false, .attached),
    ])
    func theLoginRuleDecides(_ rule: RoutePlan.LoginRule, _ isGiven: Bool, _ state: Explanation.Session.State) throws {
        var plan = ShopPlan()
        plan.login = rule
        let result = try explain(plan, session: isGiven ? [("token", "t0k")] : [])
        #expect(result.session?.state == state)
        #expect(result.computed.contains { text($0.name) == "token" } == (state == .attached))
    }

    @Test func droppedFieldsSayWhy() throws {
        let result = try explain(
            fields: [
                ("Content-Type", "application/x-www-form-urlencoded"), ("X_Y", "1"), ("Connection", "X-Hop"),
                ("X-Hop", "1"),
                ("Cookie", "a=1"), ("Accept-Encoding", "gzip"), ("x-time", "1"), ("Kept", "1"),
            ], body: "a=1&sign=2&sign=3&token=4&b=5")
        let told = result.dropped.map { "\($0.place) \(text($0.name)) \($0.reason)" }
        #expect(
            told == [
                "header X_Y underscore", "header Connection hopByHop", "header X-Hop hopByHop",
                "header Cookie credential",
                "header Accept-Encoding coding", "header x-time owned", "form sign owned", "form sign owned",
                "form token owned",
            ])
    }

    @Test func aSkippedSignatureIsTold() throws {
        var plan = ShopPlan()
        plan.skip = "request.query('x') == '1'"
        let result = try explain(plan)
        #expect(result.skipsSignature)
        #expect(result.computed.count == 1 && result.request != nil)
    }

    @Test(
        arguments: [
            ("GET", "/nowhere", nil, 404), ("DELETE", "/api/a", nil, 405), ("TRACE", "/api/a", nil, 405),
            ("GET", "/api/../a", nil, 400), ("GET", "http://evil.test/api/a", nil, 421), ("G ET", "/api/a", nil, 501),
            ("GET", "/api/a HTTP/1.1\r\nA: b\r\n\r\n", nil, 400), ("GET", "/api/a", nil, 400), ("GET", "", nil, 400),
            ("POST", "/api/a", String(repeating: "x", count: 1001), 413), ("GET", "/_countersign/health", nil, 404),
            ("OPTIONS", "*", nil, 404),
        ] as [(String, String, String?, Int)])
    func refusalsCarryTheirStatus(_ method: String, _ url: String, _ body: String?, _ status: Int) throws {
        let result = try explain(ShopPlan(), method, url, body: body)
        let error = try #require(result.refusal)
        #expect(ErrorResponse(error).status == status, "\(error.detail)")
        #expect(result.request == nil)
    }

    @Test func aRecipeThatErrsKeepsWhatCameBefore() throws {
        var plan = ShopPlan()
        plan.signature = "hex.encode(hash.md5('before')) + string(request.json.a)"
        let result = try explain(plan)
        #expect(result.refusal?.detail.contains("variable sign") == true)
        #expect(result.unfinishedCalls.map { text($0.message) } == ["before"])
        #expect(result.computed.map { text($0.name) } == ["token", "time"])
    }

    @Test(arguments: ["http://127.0.0.1:8080/api/User?x=1", "HTTP://localhost:8080/api/User?x=1"])
    func aWholeURLNamesTheHost(_ url: String) throws {
        #expect(try explain(ShopPlan(), "POST", url).request?.bytes == explain().request?.bytes)
    }

    @Test func framingFieldsFollowFromTheBody() throws {
        let fields = [
            ("Content-Length", "99"), ("Transfer-Encoding", "chunked"), ("Host", "localhost:8080"),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ]
        #expect(try explain(fields: fields).request?.bytes == explain().request?.bytes)
        #expect(try explain(fields: fields + [("Host", "evil.test")]).refusal != nil)
    }

    @Test func aPlainProxyGetsTheWholeURL() throws {
        var plan = ShopPlan()
        plan.proxy = "http://proxy:3128"
        #expect(try explain(plan).request?.line.starts(with: bytes("POST http://shop.test/base/")) == true)
    }

    @Test func nothingPrintsItself() throws {
        let result = try explain()
        var dumped = ""
        dump(result, to: &dumped)
        #expect(!"\(result)\(dumped)".contains("t0k"))
    }
}
