import Testing

@testable import Expressions

/// Slips that come from other languages, and slips that can be evaluated.
@Suite struct RemarkTests {
    @Test(arguments: [
        (#"has(headers["x-a"])"#, #"write `"x-a" in headers`"#),
        ("headers.x-auth-token", #"write `headers["x-auth-token"]`"#),
        ("request.headers.x-auth == 'a'", #"write `request.headers["x-auth"]`"#),
        ("text + headers.x-auth + text", #"write `headers["x-auth"]`"#), (#"vars.own("a")"#, #"write `vars.own["a"]`"#),
        (#"json.a.rows("b")"#, #"write `json.a.rows["b"]`"#),
        (#"json.a.?"@b""#, #"write `[?"@b"]`, without the dot"#),
        (#"json.a."@b""#, #"write `["@b"]`, without the dot"#),
        (#"json.a.tirm("b")"#, "did you mean `trim`?"), (#"text.tirm()"#, "did you mean `trim`?"),
    ])
    func saysHowItIsWritten(_ source: String, _ hint: String) {
        let error = #expect(throws: ExpressionIssues.self) {
            try Expression(parsing: source, in: TestHost.scope)
        }
        #expect(error?.issues.map(\.hint) == [hint], "\(String(describing: error))")
    }

    @Test(arguments: ["json.a - x", "status - 1", "json.a-status"])
    func aDifferenceIsOne(_ source: String) throws { _ = try Expression(parsing: source, in: TestHost.scope) }

    @Test(arguments: [
        ("$1$${hex.encode(secret.sign_key)}", [2]), ("${x}$${text}", [4]), ("a $${HOME} ${x}", []), ("$${", []),
        ("$${}", []), ("${'$1$' + text}", []), ("$${{'a': 1}.a} $${x", [0]),
    ])
    func aSwallowedExpressionIsTold(_ source: String, _ offsets: [Int]) throws {
        let template = try Template(parsing: source, in: TestHost.scope)
        #expect(template.remarks.map(\.offset) == offsets)
    }

    @Test(arguments: [
        ("request.headers('X-A') + request.headers.y", ["headers", "X-A"]),
        ("request.headers[?'b'].orValue('')", ["headers", "b"]),
        ("'c' in request.query", ["query", "c"]), ("has(request.json.a.b)", ["json", "a", "b"]),
        ("request.json.?a.?b.c.orValue('')", ["json", "a", "b"]),
    ])
    func whatIsLookedUpIsKnown(_ source: String, _ way: [String]) throws {
        #expect(try Expression(parsing: source, in: TestHost.scope).lookups.contains(["request"] + way))
    }

    @Test func aBodyThatIsMadeATextIsRemarkedUpon() throws {
        let expression = try Expression(parsing: "text + string(request.body)", in: TestHost.scope)
        #expect(expression.remarks.map(\.offset) == [7])
        #expect(try Expression(parsing: "bytes(text) + request.body", in: TestHost.scope).remarks.isEmpty)
    }
}
