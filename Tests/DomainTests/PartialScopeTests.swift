import Bytes
import Expressions
import Testing

@testable import Domain

/// A recipe that serves places with and without what it tests for (`ObjectType.isPartial`), in one that has none of it.
@Suite struct PartialScopeTests {
    private let scopes = Scopes(secretNames: [])

    private func partial(_ captures: [String] = []) -> Scope {
        scopes.response(captures: captures, variables: [], partial: [.session, .vars])
    }

    private func value(_ source: String) throws -> String {
        let scope = ExchangeScope(
            request: LoginRun.emptyDraft, now: (0, 0), surroundings: Surroundings(secrets: [], device: []))
        // A session that captures something else: slots are those of the place that it was compiled for.
        scope.session = CredentialSnapshot(
            generation: 1, grant: CredentialGrant(captures: [.string(bytes("other"))], fingerprint: []), obtainedAt: 0)
        scope.response = ResponseView(status: 200, fields: PairBlock(), body: bytes("{\"d\":1}"))
        var text: [UInt8] = []
        try Expression(parsing: source, in: partial()).evaluate(scope).appendJSON(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    @Test(arguments: [
        ("has(session.key)", "false"), ("'key' in session", "false"), ("has(vars.k) || has(json.d)", "true"),
        ("session.?key.orValue('-')", "\"-\""), ("session[?'key'].hasValue()", "false"),
        ("vars.?k.optMap(x, x + '!').orValue('none')", "\"none\""),
        // What is not reached may read it.
        ("has(session.key) ? session.key : 'none'", "\"none\""), ("!has(session.key) ? 1 : size(session['key'])", "1"),
        ("has(session.key) && session.key == 'a'", "false"), ("!has(vars.k) || vars.k > 3", "true"),
        ("has(json.d) && has(session.key) ? session.key : 'none'", "\"none\""),
        ("!has(json.d) || !has(session.key) ? 'none' : session.key", "\"none\""),
        ("!(has(session.key) || has(vars.k)) ? 'none' : session.key", "\"none\""),
        ("has(session.key) || has(vars.k) ? session.key : 'none'", "\"none\""),
    ])
    func aTestForWhatIsNotThereFindsNothing(_ source: String, _ expected: String) throws {
        #expect(try value(source) == expected)
    }

    @Test(arguments: [
        ("session.key", "session.key"), ("session['key']", "session.key"), ("hex.encode(vars.k)", "vars.k"),
        ("session.key == 'a' && has(session.key)", "session.key"), ("has(json.d) ? session.key : ''", "session.key"),
        ("has(session.key) ? '' : session.key", "session.key"),
        // Of which one is not known before it runs.
        ("session.?key.hasValue() ? session.key : ''", "session.key"),
    ])
    func readingItIsAnIssueThatNamesTheOptionalForm(_ source: String, _ missing: String) throws {
        let issues = #expect(throws: ExpressionIssues.self) { try Expression(parsing: source, in: partial()) }
        let issue = try #require(issues?.issues.first)
        let parts = missing.split(separator: ".").map(String.init)
        #expect(issue.missing == Reference(parts[0], parts[1]))
        #expect(issue.hint == "where it may be missing: `has(\(missing))` or `\(parts[0]).?\(parts[1])`")
        #expect(issues?.issues.count == 1)
    }

    @Test func whatIsThereIsReadAsEver() throws {
        let expression = try Expression(parsing: "has(session.key) ? session.key : ''", in: partial(["key"]))
        #expect(throws: ExpressionIssues.self) { try expression.compiled(in: scopes.response()) }
        #expect(try expression.compiled(in: partial()).source == expression.source)
    }

    /// Names that a place knows all of stay checked.
    @Test func elsewhereATestForAnUnknownNameIsAnIssue() {
        for source in ["has(session.key)", "session.?key", "'key' in session", "has(session.key) ? session.key : ''"] {
            let issues = #expect(throws: ExpressionIssues.self) {
                try Expression(parsing: source, in: scopes.response(captures: ["token"]))
            }
            #expect(issues?.issues.first?.missing == nil)
        }
    }
}
