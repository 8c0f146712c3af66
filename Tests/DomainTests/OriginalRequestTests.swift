import Bytes
import Expressions
import Testing

@testable import Domain

/// What recipes know of the client's own request, whatever the gateway made of it since.
@Suite struct OriginalRequestTests {
    private func outcome(_ source: String, pattern: String? = "/api/{shop}/*/{id}", parameters: [String]? = nil) throws
        -> Value
    {
        let draft = RequestDraft(
            method: bytes("PUT"), path: bytes("/api/a%20b%2F/x/7"), query: bytes("q=1&q=%32&t="), fields: PairBlock(),
            content: .none, host: [], remote: [], pattern: try pattern.map { try PathPattern(parsing: $0) })
        (draft.method, draft.path, draft.query) = (bytes("POST"), bytes("/rpc"), nil)
        let scope = ExchangeScope(
            request: draft, now: (0, 0), surroundings: Surroundings(secrets: [], device: []))
        let known = Scopes(secretNames: []).request(parameters: parameters)
        return try Expressions.Expression(parsing: source, in: known).evaluate(scope)
    }

    @Test(arguments: [
        "request.original.method == 'PUT' && request.method == 'POST'",
        "request.original.path == '/api/a%20b%2F/x/7' && request.path == '/rpc'",
        "request.original.target == '/api/a%20b%2F/x/7?q=1&q=%32&t=' && request.target == '/rpc'",
        "request.original.segments == ['api', 'a b/', 'x', '7']",
        "request.original.query('q') == '1' && request.original.query[1].value == '2' && size(request.query) == 0",
        "request.params.shop == 'a b/' && request.params['id'] == '7' && request.params('id') == '7'",
        "!('x' in request.params) && request.params.?x.orValue('-') == '-' && has(request.params.id)",
        "pairs.join(request.params, '=', '&') == 'shop=a b/&id=7'",
    ])
    func isAsTheClientSentIt(_ source: String) throws { #expect(try outcome(source).bool == true) }

    @Test(arguments: [
        "request.original.headers['x-a'] == 'theirs' && request.headers['x-a'] == 'ours'",
        "!('authorization' in request.original.headers) && request.original.headers('Accept') == '*/*'",
        "request.original.form('k') == 'v' && request.form('k') == 'w'",
        "request.original.headers[?'x-b'].orValue('-') == '-'",
    ])
    func theClientsOwnFieldsAreKeptWhereTheyAreAskedFor(_ source: String) throws {
        var fields = PairBlock()
        for (name, value) in [("X-A", "theirs"), ("Authorization", "a"), ("Accept", "*/*")] {
            fields.append(name: bytes(name), value: bytes(value))
        }
        fields.append(name: bytes("Content-Type"), value: bytes("application/x-www-form-urlencoded"))
        let draft = RequestDraft(
            method: bytes("POST"), path: bytes("/"), query: nil, fields: fields, content: .held(bytes("k=v")), host: [],
            remote: [], pattern: try PathPattern(parsing: "/"))
        let scope = ExchangeScope(
            request: draft, now: (0, 0), surroundings: Surroundings(secrets: [], device: []))
        let expression = try Expressions.Expression(parsing: source, in: Scopes(secretNames: []).request())
        #expect((try? expression.evaluate(scope))?.bool != true)
        draft.keepOriginal { SensitiveFields.isClientCredential($0) }
        draft.fields.removeAll { block, index in block.value(at: index).elementsEqual(bytes("theirs")) }
        draft.fields.append(name: bytes("X-A"), value: bytes("ours"))
        draft.content = .held(bytes("k=w"))
        #expect(try expression.evaluate(scope).bool == true)
    }

    @Test func aRequestOfTheGatewayItselfKnowsThatItHasNone() throws {
        let scope = Scopes(secretNames: []).request(isOwn: true)
        let issues = #expect(throws: ExpressionIssues.self) {
            try Expressions.Expression(parsing: "request.original.path", in: scope)
        }
        #expect(issues?.issues.first?.hint?.contains("no client") == true)
        _ = try Expressions.Expression(parsing: "request.path + string(request.parts.size())", in: scope)
    }

    @Test func aRequestOfTheGatewayItselfHasNone() throws {
        #expect(try outcome("size(request.params) == 0", pattern: nil).bool == true)
        #expect(throws: EvaluationError.self) { try outcome("request.original.path", pattern: nil) }
    }

    @Test(arguments: ["request.params.sop", "request.params['sop']", "request.params(\"sop\")", "request.params.?sop"])
    func anUnknownNameIsFoundWhenTheConfigIsRead(_ source: String) throws {
        let issues = #expect(throws: ExpressionIssues.self) { try outcome(source, parameters: ["shop", "id"]) }
        #expect(issues?.issues.map(\.message) == ["request.params has no `sop`"])
        #expect(issues?.issues.first?.hint?.contains("shop") == true)
        #expect(throws: EvaluationError.self) { try outcome("request.params.sop") }
    }

    @Test func aTransformKnowsWhatARewriteKnows() throws {
        let scopes = Scopes(secretNames: ["key"])
        let names = Set(scopes.request(captures: ["token"]).names.map(\.name))
        #expect(Set(scopes.transform(captures: ["token"]).names.map(\.name)) == names.union(["value"]))
    }
}
