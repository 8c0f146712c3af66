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

    @Test func aLabelThatIsWrongHidesNothing() throws {
        let view = ResponseView(
            status: 200, fields: fields([("Content-Type", "application/json; charset=klingon")]), body: bytes(top))
        try view.decode()
        #expect(member(view, "user_get_response") != nil)
        #expect(throws: GatewayError.self) { try view.narrow(by: envelope([.charset])) }
    }
}
