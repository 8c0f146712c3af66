import Bytes
import Expressions
import Testing

@testable import Domain

@Suite struct EnvelopeTests {
    private let scopes = Scopes(secretNames: [])

    /// TPshop's dialect, as in the manual.
    private func tpshop(render: [(String, String)] = []) throws -> EnvelopePlan {
        EnvelopePlan(
            name: "tpshop", unwrap: [.charset, .bom, .skipToJSON],
            ok: try Expression(parsing: "int(json.status) > 0", in: scopes.response()),
            code: try Expression(parsing: "json.status", in: scopes.response()),
            message: try Expression(parsing: "json.msg", in: scopes.response()),
            data: try Expression(parsing: "json.?result.or(json.?data)", in: scopes.response()),
            render: try render.map {
                NamedTemplate(
                    name: bytes($0.0), value: try Template(parsing: $0.1, in: scopes.render()))
            })
    }

    private func scope(_ body: String, status: Int = 200) throws -> ExchangeScope {
        let draft = RequestDraft(
            method: bytes("GET"), path: bytes("/"), query: nil, fields: PairBlock(), content: .none,
            host: [], remote: [])
        let scope = ExchangeScope(
            request: draft, now: (0, 0), surroundings: Surroundings(secrets: [], device: []))
        let raw = bytes(body)
        let view = ResponseView(status: status, fields: PairBlock(), body: raw)
        try view.decode()
        scope.response = view
        return scope
    }

    private func rendered(
        _ body: String, status: Int = 200, to target: EnvelopeRule.Target = .standard,
        rule: EnvelopeRule.StatusRule = .keep, render: [(String, String)] = []
    ) throws -> RenderedAnswer {
        let plan = try tpshop(render: render)
        return try MessageRenderer.render(
            scope(body, status: status), rule: EnvelopeRule(from: plan, target: target, status: rule))
    }

    @Test(arguments: [
        (
            "{\"status\":1,\"msg\":\"获取成功\",\"result\":{\"user_id\":\"1\"}}",
            "{\"success\":true,\"code\":1,\"message\":\"获取成功\",\"data\":{\"user_id\":\"1\"}}"
        ),
        (
            "{\"status\":\"1\",\"msg\":\"ok\",\"data\":[ 10.10 , 12345678901234567890 ]}",
            "{\"success\":true,\"code\":\"1\",\"message\":\"ok\",\"data\":[ 10.10 , 12345678901234567890 ]}"
        ),
        (
            "{\"status\":-1,\"msg\":\"fail\",\"result\":\"\"}",
            "{\"success\":false,\"code\":-1,\"message\":\"fail\",\"data\":\"\"}"
        ),
        (
            "{\"status\":1,\"msg\":42,\"result\":null}",
            "{\"success\":true,\"code\":1,\"message\":\"42\",\"data\":null}"
        ),
        (
            "Notice\n{\"status\":-10.10,\"msg\":\"a\\u0041\\\"\"}",
            "{\"success\":false,\"code\":-10.10,\"message\":\"a\\u0041\\\"\",\"data\":null}"
        ),
    ])
    func aPayloadIsSplicedVerbatim(_ body: String, _ expected: String) throws {
        let answer = try rendered(body)
        #expect(text(answer.body) == expected)
        #expect(answer.status == 200)
        #expect(text(answer.contentType) == "application/json; charset=utf-8")
    }

    @Test func aFailureCanBeMappedToAStatus() throws {
        #expect(try rendered("{\"status\":-1}", rule: .map).status == 422)
        #expect(try rendered("{\"status\":-1}", status: 403, rule: .map).status == 403)
        #expect(try rendered("{\"status\":1}", rule: .map).status == 200)
    }

    @Test func anotherDialectKeepsTypes() throws {
        let fields = [
            ("status", "${code.orValue(-1)}"), ("msg", "${message}"), ("result", ""), ("payload", "${data}"),
            ("text", "code ${code.orValue(0)}"),
        ]
        let plan = try tpshop(render: fields)
        let answer = try rendered("{\"status\":7.50,\"msg\":\"m\",\"result\":{\"a\":[1]}}", to: .other(plan))
        #expect(
            text(answer.body)
                == "{\"status\":7.50,\"msg\":\"m\",\"result\":\"\",\"payload\":{\"a\":[1]},\"text\":\"code 7.50\"}")
    }

    @Test func problemsFollowTheRFC() throws {
        let bad = try rendered("{\"status\":-4,\"msg\":\"no\",\"result\":{\"why\":1}}", status: 409, to: .problem)
        #expect(text(bad.contentType) == "application/problem+json")
        #expect(
            text(bad.body)
                == "{\"type\":\"urn:countersign:error:upstream\",\"title\":\"no\",\"status\":409,\"code\":-4,"
                + "\"data\":{\"why\":1}}")
        let good = try rendered("{\"status\":1,\"result\":[1, 2]}", to: .problem)
        #expect(text(good.body) == "[1, 2]" && text(good.contentType).hasPrefix("application/json"))
    }

    private let offline = GatewayError(.offline, detail: "connect: \"refused\"", retryAfter: s(3))

    private func made(_ rule: EnvelopeRule?) throws -> RenderedAnswer {
        MessageRenderer.render(
            offline, ErrorResponse(offline), texts: ErrorTexts(), language: .simplifiedChinese, rule: rule,
            scope: try scope("{}"))
    }

    @Test func anErrorOfTheGatewayInTheStandardEnvelope() throws {
        let answer = try made(nil)
        #expect(answer.status == 503)
        #expect(
            text(answer.body)
                == "{\"success\":false,\"code\":null,\"message\":\"无网络连接，请检查网络\",\"data\":null,"
                + "\"error\":{\"kind\":\"offline\",\"detail\":\"connect: \\\"refused\\\"\",\"retryAfter\":3}}")
    }

    @Test func anErrorOfTheGatewayInTheUpstreamsDialect() throws {
        let plan = try tpshop(render: [("status", "${code.orValue(-1)}"), ("msg", "${message}"), ("kind", "${kind}")])
        let answer = try made(EnvelopeRule(from: plan, target: .same))
        #expect(text(answer.body) == "{\"status\":-1,\"msg\":\"无网络连接，请检查网络\",\"kind\":\"offline\"}")
        #expect(answer.status == 503)
    }

    @Test func anErrorOfTheGatewayAsAProblem() throws {
        let answer = try made(EnvelopeRule(from: try tpshop(), target: .problem))
        #expect(
            text(answer.body)
                == "{\"type\":\"urn:countersign:error:offline\",\"title\":\"无网络连接，请检查网络\",\"status\":503,"
                + "\"kind\":\"offline\",\"detail\":\"connect: \\\"refused\\\"\",\"retryAfter\":3}")
    }

    @Test func aDialectThatErrsFallsBackToTheStandardEnvelope() throws {
        let plan = try tpshop(render: [("a", "${ok}"), ("x", "${data.missing}")])
        let answer = try made(EnvelopeRule(from: plan, target: .same))
        #expect(text(answer.body).hasPrefix("{\"success\":false"))
        #expect(answer.gaveWay && answer.faults.map(\.name) == ["render.x"])
        let told = try rendered("{\"status\":-1,\"msg\":\"no\",\"data\":{}}", to: .other(plan), rule: .map)
        #expect(text(told.body) == "{\"success\":false,\"code\":-1,\"message\":\"no\",\"data\":{}}")
        #expect(told.status == 422)
        #expect(told.faults == [EnvelopeFault(part: .render, field: "x", reason: "no such key: missing")])
        #expect(try !rendered("{\"status\":1,\"msg\":\"\",\"data\":{\"missing\":1}}", to: .other(plan)).gaveWay)
    }

    @Test(arguments: [
        ("Content-Type", true), ("ETAG", true), ("content-length", true), ("X-Other", false), ("Signature", true),
        ("signature-INPUT", true), ("X-Amz-Checksum-Sha256", true), ("x-AMZ-meta-Owner", true), ("X-Goog-Hash", true),
        ("x-amz-request-id", false), ("x-amz-", false), ("X-", false), ("Signature-Agent", false), ("Location", false),
    ])
    func fieldsOfTheOldBodyGo(_ name: String, _ isReplaced: Bool) {
        #expect(MessageRenderer.isReplaced(bytes(name).span) == isReplaced)
    }
}
