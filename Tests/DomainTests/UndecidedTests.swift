import Bytes
import Expressions
import Testing

@testable import Domain

/// What a test says while the body of the answer is not here, and what it says when that never comes.
@Suite struct UndecidedTests {
    enum Says: Equatable { case yes, no, undecided }

    private func draft(_ method: String) -> RequestDraft {
        RequestDraft(
            method: bytes(method), path: bytes("/"), query: nil, fields: PairBlock(), content: .none, host: [],
            remote: [])
    }

    private func scope(_ status: Int, method: String = "GET") -> ExchangeScope {
        let scope = ExchangeScope(
            request: draft(method), now: (0, 0), surroundings: Surroundings(secrets: [], device: []))
        let head = UpstreamHead(status: status, fields: fields([("X-A", "1")]), contentLength: nil)
        scope.response = ResponseView(awaiting: head, to: scope.request)
        return scope
    }

    private func asked(_ source: String, _ scope: ExchangeScope) throws -> Says {
        let test = try Expression(parsing: source, in: Scopes(secretNames: []).response())
        do throws(Undecided) {
            return try test.settled(scope)?.bool == true ? .yes : .no
        } catch {
            return .undecided
        }
    }

    @Test(arguments: [
        ("status == 401", Says.no), ("status == 200", .yes), ("json.code == 5", .undecided),
        ("status == 401 && json.code == 5", .no), ("json.code == 5 && status == 401", .no),
        ("status == 200 && json.code == 5", .undecided), ("status == 200 || json.code == 5", .yes),
        ("json.code == 5 || status == 200", .yes), ("status == 401 || json.code == 5", .undecided),
        ("status == 401 ? json.code == 5 : false", .no), ("status == 200 ? text == \"x\" : false", .undecided),
        ("size(response.body) == 0", .undecided), ("xml.a == \"b\"", .undecided),
        // Nothing is concluded from what is not here yet.
        ("has(response.json)", .undecided), ("!has(json.code)", .undecided), ("response.?json.hasValue()", .undecided),
        ("response[\"text\"] == \"\"", .undecided), ("json.?code.orValue(5) == 5", .undecided),
        // An error that the body cannot mend decides, one beside a body that may decide does not.
        ("headers[\"x-b\"] == \"1\"", .no), ("headers[\"x-b\"] + text == \"1\"", .no),
        ("headers[\"x-b\"] == \"1\" && json.code == 5", .undecided),
        ("headers[\"x-b\"] == \"1\" || json.code == 5", .undecided),
        ("[\"x-b\", \"x-a\"].exists(n, headers[n] == text)", .undecided),
        ("[200, 201].exists(s, s == status || json.code == s)", .yes),
        ("[1, 2].all(n, n > 1 && json.code == n)", .no),
    ])
    func beforeTheBody(_ source: String, _ expected: Says) throws {
        #expect(try asked(source, scope(200)) == expected)
    }

    @Test func theBodyDecides() throws {
        let test = "status == 200 && json.code == 5"
        for (body, expected) in [("{\"code\":5}", Says.yes), ("{\"code\":6}", .no), ("<html>", .no), ("", .no)] {
            let scope = scope(200)
            scope.response?.receive(bytes(body))
            #expect(try asked(test, scope) == expected)
        }
        let empty = scope(200)
        empty.response?.receive([])
        #expect(try asked("size(response.body) == 0", empty) == .yes)
    }

    @Test func aBodyThatNeverComesSaysNothing() throws {
        let closed = scope(200)
        closed.response?.close("not looked into")
        for scope in [closed, scope(200, method: "HEAD"), scope(304)] {
            for test in ["size(response.body) == 0", "!has(response.json)", "text == \"\"", "json.code != 5"] {
                #expect(try asked(test, scope) == .no)
            }
        }
        // Whoever holds the whole answer learns no more of it.
        let view = ResponseView(
            UpstreamHead(status: 200, fields: PairBlock(), contentLength: nil), to: draft("HEAD"), body: [])
        #expect(throws: EvaluationError.self) { try view.json() }
        // It has none by its status: that much is known.
        #expect(try asked("size(response.body) == 0", scope(204)) == .yes)
    }

    @Test(arguments: [
        (403, "No such right", "No such right"), (403, nil, "Forbidden"), (612, nil, ""), (200, "", "OK"),
    ])
    func wordsBehindTheStatus(_ status: Int, _ words: String?, _ expected: String) throws {
        let scope = scope(200)
        let head = UpstreamHead(
            status: status, fields: PairBlock(), contentLength: nil, reason: words.map { bytes($0) })
        scope.response = ResponseView(awaiting: head, to: scope.request)
        #expect(try asked("response.reason == \"\(expected)\"", scope) == .yes)
    }
}
