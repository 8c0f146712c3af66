import Bytes
import Expressions
import Testing

@testable import Domain

/// What an answer is by its status and by what its body is to the envelope: the table of `EnvelopeReader.message`.
@Suite struct EnvelopeStatusTests {
    /// What comes of it: a message (success or failure, with a code and a text), or an error of the gateway.
    enum Outcome: Equatable {
        case told(ok: Bool, code: String, message: String)
        case refused(GatewayError.Kind)
    }

    private static let json = "{\"code\":0,\"msg\":\"fine\",\"data\":[7]}"
    private static let refusal = "{\"code\":9,\"msg\":\"no\"}"

    private func envelope(ok: String = "json.code == 0", code: String = "json.code") throws -> EnvelopePlan {
        let scopes = Scopes(secretNames: [])
        return EnvelopePlan(
            name: "api", unwrap: [.charset, .bom], ok: try Expression(parsing: ok, in: scopes.response()),
            code: try Expression(parsing: code, in: scopes.response()),
            message: try Expression(parsing: "json.msg", in: scopes.response()),
            data: try Expression(parsing: "json.data", in: scopes.response()), render: [])
    }

    private func scope(_ status: Int, _ body: String) throws -> ExchangeScope {
        let scope = ExchangeScope(
            request: LoginRun.emptyDraft, now: (0, 0), surroundings: Surroundings(secrets: [], device: []))
        scope.response = ResponseView(status: status, fields: PairBlock(), body: bytes(body))
        return scope
    }

    private func outcome(
        _ status: Int, _ body: String, fields: [(String, String)] = [], plan: EnvelopePlan? = nil
    ) throws -> Outcome {
        var block = PairBlock()
        for (name, value) in fields { block.append(name: bytes(name), value: bytes(value)) }
        let draft = RequestDraft(
            method: bytes("GET"), path: bytes("/"), query: nil, fields: PairBlock(), content: .none, host: [],
            remote: [])
        let scope = ExchangeScope(request: draft, now: (0, 0), surroundings: Surroundings(secrets: [], device: []))
        scope.response = ResponseView(status: status, fields: block, body: bytes(body))
        do {
            let message = try EnvelopeReader.message(plan ?? envelope(), scope, limit: 1 << 20)
            #expect(message.status == status)
            var (code, said): ([UInt8], [UInt8]) = ([], [])
            message.code.appendJSON(to: &code)
            message.message.appendText(to: &said)
            return .told(ok: message.ok, code: text(code), message: text(said))
        } catch let error as GatewayError {
            return .refused(error.kind)
        }
    }

    @Test(arguments: [
        (200, Self.json, Outcome.told(ok: true, code: "0", message: "fine")),
        (200, Self.refusal, .told(ok: false, code: "9", message: "no")),
        (200, "", .told(ok: true, code: "null", message: "OK")),
        (201, "", .told(ok: true, code: "null", message: "Created")),
        (202, "\r\n", .told(ok: true, code: "null", message: "Accepted")),
        (299, "", .told(ok: true, code: "null", message: "status 299")),
        (200, "{\"msg\":\"no code\"}", .refused(.badAnswer)),
        (404, "{\"msg\":\"no code\"}", .told(ok: false, code: "null", message: "no code")),
        (404, "{\"error\":5}", .told(ok: false, code: "null", message: "Not Found")),
        (500, "{\"error\":5}", .told(ok: false, code: "null", message: "Internal Server Error")),
        (200, "<html>", .refused(.badAnswer)),
        (201, "{\"code\":0", .refused(.badAnswer)),
        (400, Self.refusal, .told(ok: false, code: "9", message: "no")),
        (404, Self.json, .told(ok: true, code: "0", message: "fine")),
        (400, "", .told(ok: false, code: "null", message: "Bad Request")),
        (401, "<html>", .told(ok: false, code: "null", message: "Unauthorized")),
        (429, "{\"code\":", .told(ok: false, code: "null", message: "Too Many Requests")),
        (499, "x", .told(ok: false, code: "null", message: "status 499")),
        (500, Self.refusal, .told(ok: false, code: "9", message: "no")),
        (500, "", .refused(.upstreamError)),
        (503, "<html>", .refused(.upstreamError)),
    ])
    func anAnswerIsWhatItsStatusAndBodySay(_ status: Int, _ body: String, _ expected: Outcome) throws {
        #expect(try outcome(status, body) == expected)
    }

    @Test func anUnknownCodingHidesNoRefusal() throws {
        let coded = [("Content-Encoding", "br")]
        let body = "\u{1B}\u{7}coded"
        #expect(try outcome(403, body, fields: coded) == .told(ok: false, code: "null", message: "Forbidden"))
        #expect(try outcome(200, body, fields: coded) == .refused(.badAnswer))
        #expect(try outcome(502, body, fields: coded) == .refused(.upstreamError))
    }

    @Test(arguments: [
        ("text/plain", "rate limit exceeded\n", "rate limit exceeded"),
        ("Text/Plain; charset=utf-8", "不行", "不行"),
        ("text/html", "rate limit exceeded", "Too Many Requests"),
        ("text/plain", "two\nlines", "Too Many Requests"),
        ("text/plain", String(repeating: "x", count: 513), "Too Many Requests"),
        ("text/plain", " \t", "Too Many Requests"),
    ])
    func aLineOfPlainTextIsTheMessage(_ type: String, _ body: String, _ message: String) throws {
        let outcome = try outcome(429, body, fields: [("Content-Type", type)])
        #expect(outcome == .told(ok: false, code: "null", message: message))
    }

    @Test func whatIsInTheHeadIsFoundWithoutABody() throws {
        let plan = try envelope(code: "headers('x-code')")
        let fields = [("X-Code", "E7")]
        #expect(
            try outcome(404, "", fields: fields, plan: plan)
                == .told(ok: false, code: "\"E7\"", message: "Not Found"))
    }

    @Test func anEnvelopeOfTextReadsAnything() throws {
        let plan = try envelope(ok: "text == 'success'")
        for (status, body, ok) in [(200, "success", true), (200, "fail", false), (404, "<html>", false)] {
            #expect(try outcome(status, body, plan: plan) == .told(ok: ok, code: "null", message: ""))
        }
        // Nothing at all is nothing to read, there too.
        #expect(try outcome(201, "", plan: plan) == .told(ok: true, code: "null", message: "Created"))
    }

    @Test(arguments: [
        ("json.code == 0", "{}", "no such key: code"), ("json.code", "{\"code\":\"0\"}", "type string, no bool"),
        ("json.?code", "{\"code\":true}", "type optional_type, no bool"),
    ])
    func anOkThatCannotBeToldNamesWhy(_ ok: String, _ body: String, _ why: String) throws {
        let scope = try scope(200, body)
        let plan = try envelope(ok: ok)
        let error = #expect(throws: GatewayError.self) { try EnvelopeReader.message(plan, scope, limit: 1 << 20) }
        #expect(error?.kind == .badAnswer)
        #expect(error?.detail.contains("envelope api, ok cannot be told: ") == true, "\(error?.detail ?? "")")
        #expect(error?.detail.contains(why) == true, "\(error?.detail ?? "")")
    }

    @Test func whatErrsIsNamed() throws {
        let plan = try envelope()
        let message = try EnvelopeReader.message(plan, try scope(200, "{\"code\":0,\"data\":1}"), limit: 1 << 20)
        #expect(message.faults == [EnvelopeFault(part: .message, reason: "no such key: msg")])
        let refusal = try EnvelopeReader.message(plan, try scope(400, "{}"), limit: 1 << 20)
        #expect(refusal.faults.map(\.part) == [.ok, .code, .message, .data])
    }

    /// What stands in the clear beside a payload that cannot be opened, or in an unknown charset, is not what `code` is
    /// meant for.
    @Test func nothingIsReadOfABodyThatIsNone() throws {
        let response = Scopes(secretNames: []).response()
        func told(_ unwrap: [UnwrapStep], open: String?, type: String, code: String) throws -> RenderedMessage {
            let plan = EnvelopePlan(
                name: "api", unwrap: unwrap, open: try open.map { try Expression(parsing: $0, in: response) }, ok: nil,
                code: try Expression(parsing: code, in: response),
                message: try Expression(parsing: "json.msg", in: response),
                data: try Expression(parsing: "headers('x-data')", in: response), render: [])
            let scope = try scope(403, "")
            scope.response = ResponseView(
                status: 403, fields: fields([("Content-Type", type), ("X-Data", "7")]), body: bytes(Self.refusal))
            try? scope.response?.decode()
            return try EnvelopeReader.message(plan, scope, limit: 1 << 20)
        }
        for code in ["json.code", "size(text)", "size(response.body)", "response.json.code", "xml.code"] {
            let sealed = try told([], open: "base64.decode(json.payload)", type: "application/json", code: code)
            #expect(sealed.code.isAbsent && !sealed.ok, "\(code)")
            #expect(sealed.message.string.map(Array.init) == bytes("Forbidden"))
            #expect(sealed.data.string.map(Array.init) == bytes("7"))
            #expect(sealed.faults == [EnvelopeFault(part: .open, reason: "no such key: payload")])
            let foreign = try told([.charset], open: nil, type: "application/json; charset=no-such", code: code)
            #expect(foreign.code.isAbsent && foreign.faults.isEmpty, "\(code)")
        }
        let clear = try told(
            [], open: "has(json.payload) ? json.payload : optional.none()", type: "a/b", code: "json.code")
        #expect(clear.code.int == 9 && clear.faults.isEmpty)
    }

    @Test func theWaitThatAnErrorPageAsksForIsKept() throws {
        let scope = ExchangeScope(
            request: LoginRun.emptyDraft, now: (0, 0), surroundings: Surroundings(secrets: [], device: []))
        var fields = PairBlock()
        fields.append(name: bytes("Retry-After"), value: bytes("9"))
        scope.response = ResponseView(status: 503, fields: fields, body: bytes("<html>"))
        let plan = try envelope()
        let error = #expect(throws: GatewayError.self) { try EnvelopeReader.message(plan, scope, limit: 1 << 20) }
        #expect(error?.retryAfterSeconds == 9)
    }

    @Test(arguments: [
        (200, "application/json", true), (201, "", true), (404, "text/html", true), (500, "", true),
        (204, "", false), (205, "", false), (301, "text/html", false), (302, "application/json", false),
        (304, "", false), (200, "image/png", false), (404, "application/pdf", false), (200, "text/csv", false),
        (200, "application/x-ndjson", false),
    ])
    func redirectsAndFilesAreNotTold(_ status: Int, _ type: String, _ expected: Bool) throws {
        let type = type.isEmpty ? PairBlock() : fields([("Content-Type", type)])
        for target in [EnvelopeRule.Target.standard, .problem, .other(try envelope())] {
            let rule = EnvelopeRule(from: try envelope(), target: target)
            #expect(rule.tells(status: status, fields: type) == expected)
        }
        #expect(!EnvelopeRule(from: try envelope(), target: .same).tells(status: status, fields: type))
    }

    @Test(arguments: [
        (200, "attachment", false), (200, "Attachment; filename=\"a.json\"", false), (200, "inline", true),
        (200, "inline; filename=\"attachment\"", true), (404, "attachment", true),
    ])
    func whatIsToBeSavedIsNotTold(_ status: Int, _ disposition: String, _ expected: Bool) throws {
        let head = fields([("Content-Type", "application/json"), ("Content-Disposition", disposition)])
        let rule = EnvelopeRule(from: try envelope(), target: .standard)
        #expect(rule.tells(status: status, fields: head) == expected)
    }

    @Test(arguments: [
        ("application/octet-stream", true), ("Application/Octet-Stream; x=y", true), ("image/png", true),
        ("audio/mpeg", false), ("application/pdf", false),
    ])
    func namedTypesAreRead(_ type: String, _ expected: Bool) throws {
        let plan = EnvelopePlan(
            name: "api", types: [bytes("application/octet-stream"), bytes("image/*")], unwrap: [], ok: nil, code: nil,
            message: nil, data: nil, render: [])
        let rule = EnvelopeRule(from: plan, target: .standard)
        let head = fields([("Content-Type", type), ("Content-Disposition", "attachment")])
        #expect(rule.tells(status: 200, fields: head) == expected)
    }
}
