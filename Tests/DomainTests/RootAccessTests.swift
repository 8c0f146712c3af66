import Bytes
import Cryptography
import Expressions
import Testing

@testable import Domain

/// A member is there or not, whatever the spelling: `.x`, `.?x`, `["x"]`, `[?"x"]`, `has()`, `"x" in`.
@Suite struct RootAccessTests {
    private let captures = ["token", "none"]
    private let variables = ["v", "later"]

    private func scope() -> ExchangeScope {
        var query = PairBlock()
        query.append(name: bytes("Content-Type"), value: bytes("application/json"))
        let draft = RequestDraft(
            method: bytes("POST"), path: bytes("/a/b"), query: bytes("x=q"), fields: query,
            content: .held(bytes("{\"x\":\"j\"}")), host: bytes("h"), remote: [],
            pattern: try? PathPattern(parsing: "/**"))
        let secret = NamedSecret(name: "k", value: Secret(copying: bytes("s3cret").span))
        let scope = ExchangeScope(
            request: draft, now: (0, 0), surroundings: Surroundings(secrets: [secret], device: []))
        scope.session = CredentialSnapshot(
            generation: 1, grant: CredentialGrant(captures: [.string(bytes("t")), .null], fingerprint: []),
            obtainedAt: 0)
        scope.variables.append(.text("w"))
        scope.response = ResponseView(
            status: 200, fields: fields([("X-A", "1")]), body: bytes("{\"x\":\"r\",\"n\":{\"y\":1}}"))
        return scope
    }

    private func value(_ source: String, _ scope: ExchangeScope) -> String {
        do {
            let names = Scopes(secretNames: ["k"]).response(captures: captures, variables: variables)
            return "\(try Expression(parsing: source, in: names).evaluate(scope).json)"
        } catch let issues as ExpressionIssues {
            return "issue: \(issues)"
        } catch {
            return "error: \(error)"
        }
    }

    @Test(arguments: [
        ("session", "token", "\"t\""), ("vars", "v", "\"w\""), ("secret", "k", "\"s3cret\""),
        ("request", "host", "\"h\""), ("request.original", "path", "\"/a/b\""), ("response", "status", "200"),
        ("request.query", "x", "\"q\""), ("request.json", "x", "\"j\""), ("headers", "x-a", "\"1\""),
        ("json", "x", "\"r\""), ("json.n", "y", "1"), ("response.json", "x", "\"r\""),
    ])
    func whatIsThereIsFound(_ root: String, _ name: String, _ expected: String) {
        let scope = scope()
        let path = name.contains("-") ? "\(root).`\(name)`" : "\(root).\(name)"
        let optional = name.contains("-") ? "\(root).?`\(name)`" : "\(root).?\(name)"
        #expect(value(path, scope) == expected)
        #expect(value("\(root)['\(name)']", scope) == expected)
        #expect(value("\(optional).value()", scope) == expected)
        #expect(value("\(optional).orValue('-') == \(path)", scope) == "true")
        #expect(value("\(root)[?'\(name)'].value()", scope) == expected)
        #expect(value("has(\(path))", scope) == "true")
        #expect(value("'\(name)' in \(root)", scope) == "true")
    }

    /// A capture that the login did not bring, a variable that stands below, a body that is none.
    @Test(arguments: [
        ("session", "none"), ("vars", "later"), ("request.query", "no"), ("request.json", "no"), ("headers", "no"),
        ("json", "no"), ("json.n", "no"), ("response", "xml"),
    ])
    func whatIsNotThereIsNot(_ root: String, _ name: String) {
        let scope = scope()
        #expect(value("\(root).?\(name).orValue('-')", scope) == "\"-\"")
        #expect(value("\(root)[?'\(name)'].orValue('-')", scope) == "\"-\"")
        #expect(value("has(\(root).\(name))", scope) == "false")
        #expect(value("'\(name)' in \(root)", scope) == "false")
        // Only a capture has a value then: null.
        let plain = value("\(root).\(name)", scope)
        #expect(root == "session" ? plain == "null" : plain.hasPrefix("error: "), "\(plain)")
        #expect(value("\(root)['\(name)']", scope) == plain)
    }

    @Test func aGuestHasNoCaptures() {
        let scope = scope()
        scope.session = nil
        #expect(value("session.?token.orValue('-')", scope) == "\"-\"")
        #expect(value("has(session.token) || 'token' in session", scope) == "false")
        #expect(value("session.token", scope).hasPrefix("error: "))
    }

    @Test(arguments: ["session", "vars", "secret", "request", "response"])
    func whatCannotBeIsAnIssue(_ root: String) {
        let scope = scope()
        for source in [
            "\(root).zz", "\(root).?zz", "\(root)['zz']", "\(root)[?'zz']", "has(\(root).zz)", "'zz' in \(root)",
            "\(root)[text]", "\(root)[?text]", "text in \(root)",
        ] {
            #expect(value(source, scope).hasPrefix("issue: "), "\(source)")
        }
    }
}

extension Value {
    fileprivate var json: String {
        var text: [UInt8] = []
        appendJSON(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
