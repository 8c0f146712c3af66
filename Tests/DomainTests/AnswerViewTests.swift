import Bytes
import ContentCoding
import Expressions
import JSONBytes
import Testing

@testable import Domain

/// Tests of sessions and signatures see the document that the upstream sent; an envelope what its steps leave.
@Suite struct AnswerViewTests {
    private let top = #"{"user_get_response":{"code":0,"user":1}}"#

    private func envelope(_ steps: [UnwrapStep]) -> EnvelopePlan {
        EnvelopePlan(name: "e", unwrap: steps, ok: nil, code: nil, message: nil, data: nil, render: [])
    }

    private func member(_ view: ResponseView, _ name: String) -> String? {
        guard let json = try? view.json(), let value = json.member(bytes(name).span) else { return nil }
        return text(Array(value.raw))
    }

    @Test(arguments: [
        [UnwrapStep.unwrapKey(Array("*_response".utf8))], [.pointer(Array("/user_get_response".utf8))],
        [.xssi, .pointer(Array("/user_get_response".utf8))],
    ])
    func twoViewsOfOneAnswer(_ steps: [UnwrapStep]) throws {
        let view = ResponseView(status: 200, fields: PairBlock(), body: bytes(top))
        try view.decode(for: envelope(steps))
        #expect(member(view, "user_get_response") != nil)
        #expect(member(view, "code") == nil)
        try view.narrow(by: envelope(steps))
        #expect(member(view, "code") == "0")
        #expect(member(view, "user_get_response") == nil)
    }

    @Test(arguments: [")]}',\n", "while(1);", "<b>Notice</b>: x [1]\n", "\u{FEFF}", "/**/cb("])
    func whatStandsAroundTheDocumentIsTakenOff(_ prefix: String) throws {
        let view = ResponseView(
            status: 200, fields: PairBlock(), body: bytes(prefix + top + (prefix.hasSuffix("(") ? ");" : "")))
        try view.decode()
        #expect(member(view, "user_get_response") != nil, "\(prefix)")
    }

    @Test func theEnvelopeSaysTheCharset() throws {
        let gbk = try #require(Charset(label: "gbk".utf8))
        let body = try gbk.encode(bytes(#"{"状态":"超时"}"#))
        let view = ResponseView(status: 200, fields: fields([("Content-Type", "text/html; charset=utf-8")]), body: body)
        try view.decode(for: envelope([.charsetIs(gbk)]))
        #expect(member(view, "状态") == "\"超时\"")
    }

    private func scope(_ body: String) -> ExchangeScope {
        let scope = ExchangeScope(
            request: LoginRun.emptyDraft, now: (0, 0), surroundings: Surroundings(secrets: [], device: []))
        scope.response = ResponseView(status: 200, fields: PairBlock(), body: bytes(body))
        return scope
    }

    private func plan(_ name: String, open: String? = nil, verify: String? = nil) throws -> EnvelopePlan {
        let response = Scopes(secretNames: []).response()
        return EnvelopePlan(
            name: name, verify: try verify.map { try Expression(parsing: $0, in: response) }, unwrap: [],
            open: try open.map { try Expression(parsing: $0, in: response) }, ok: nil, code: nil, message: nil,
            data: nil, render: [])
    }

    @Test func aSessionThatNamesAnEnvelopeSeesWhatOpenLeaves() throws {
        let (packed, other) = (try plan("a", open: "json.d"), try plan("b", open: "json.e"))
        let scope = scope(#"{"d":{"x":1},"e":{"x":2}}"#)
        let view = try #require(scope.response)
        #expect(packed.open(scope) == nil)
        #expect(member(view, "x") == "1")
        // Again by the same one it stays; another one begins with what came.
        #expect(packed.open(scope) == nil)
        #expect(member(view, "x") == "1")
        #expect(other.open(scope) == nil)
        #expect(member(view, "x") == "2")
    }

    @Test func whatOneEnvelopeCannotOpenAnotherMay() throws {
        let scope = scope(#"{"d":{"x":1}}"#)
        let view = try #require(scope.response)
        let fault = EnvelopeFault(part: .open, reason: "no such key: missing")
        #expect(try plan("a", open: "json.missing").open(scope) == fault)
        #expect(member(view, "d") == nil)
        #expect(try plan("b", open: "json.d").open(scope) == nil)
        #expect(member(view, "x") == "1")
    }

    @Test func anAnswerWithoutABodyIsAsItCame() throws {
        let scope = scope(" \r\n")
        #expect(try plan("a", open: "json.d").open(scope) == nil)
        #expect(try text(#require(scope.response).member(4).string.map { Array($0) } ?? []) == " \r\n")
    }

    @Test(arguments: [
        ("text == 'yes'", nil), ("size(response.body) == 3", nil), ("text == 'no'", "it is false"),
        ("json.ok", "not available: the answer is not JSON"), ("headers['x-sign'] == text", "no such key: x-sign"),
        ("optional.none()", "a value of type optional_type, no bool"),
    ])
    func theUpstreamsOwnIsWhatVerifySaysIsTrue(_ source: String, _ reason: String?) throws {
        let plan = try plan("a", verify: source)
        do {
            try plan.verify(scope("yes"))
            #expect(reason == nil)
        } catch {
            #expect(error == EnvelopeFault(part: .verify, reason: reason ?? ""))
        }
    }

    @Test func aLabelThatIsWrongHidesNothing() throws {
        let view = ResponseView(
            status: 200, fields: fields([("Content-Type", "application/json; charset=klingon")]), body: bytes(top))
        try view.decode()
        #expect(member(view, "user_get_response") != nil)
        #expect(throws: GatewayError.self) { try view.narrow(by: envelope([.charset])) }
    }
}
