import Bytes
import ContentCoding
import Expressions
import Foundation
import Testing

@testable import Domain

/// `Corpora/envelopes.json`: families of envelopes as recipes, and what each answer comes to. The same cases go over a socket
/// in the conformance tests.
@Suite struct EnvelopeFamilyTests {
    struct Family: Decodable {
        var unwrap: [Step]
        var ok, code, message, data: String?
    }
    enum Step: Decodable {
        case word(String)
        case pair(String, String)
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let word = try? container.decode(String.self) {
                self = .word(word)
            } else {
                let pair = try #require(try container.decode([String: String].self).first)
                self = .pair(pair.key, pair.value)
            }
        }

        func step() throws -> UnwrapStep {
            switch self {
            case .word("charset"): return .charset
            case .word("bom"): return .bom
            case .word("xssi"): return .xssi
            case .word("jsonp"): return .jsonp
            case .word("skip_to_json"): return .skipToJSON
            case .word("json_string"): return .jsonString
            case .pair("charset", let name): return .charsetIs(try #require(Charset(label: name.utf8)))
            case .pair("charset_fallback", let name): return .charsetFallback(try #require(Charset(label: name.utf8)))
            case .pair("xml_text", let name): return .xmlText(bytes(name))
            case .pair("pointer", let path): return .pointer(bytes(path))
            case .pair("unwrap_key", let glob): return .unwrapKey(bytes(glob))
            default: throw CocoaError(.coderInvalidValue)
            }
        }
    }
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var line: Data
        var testDescription: String { name }
    }

    private static func root() -> [String: Any] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Corpora/envelopes.json")
        guard let data = try? Data(contentsOf: file), let root = try? JSONSerialization.jsonObject(with: data) else {
            return [:]
        }
        return root as? [String: Any] ?? [:]
    }
    static let cases: [Case] = (root()["cases"] as? [[String: Any]] ?? []).compactMap { item in
        guard let name = item["name"] as? String, let line = try? JSONSerialization.data(withJSONObject: item) else {
            return nil
        }
        return Case(name: name, line: line)
    }
    private let scopes = Scopes(secretNames: [])

    private func plan(_ name: String) throws -> EnvelopePlan {
        let families = try #require(Self.root()["families"] as? [String: Any])
        let data = try JSONSerialization.data(withJSONObject: try #require(families[name]))
        let family = try JSONDecoder().decode(Family.self, from: data)
        func parse(_ source: String?) throws -> Expressions.Expression? {
            try source.map { try Expressions.Expression(parsing: $0, in: scopes.response()) }
        }
        return EnvelopePlan(
            name: name, unwrap: try family.unwrap.map { try $0.step() }, ok: try parse(family.ok),
            code: try parse(family.code), message: try parse(family.message), data: try parse(family.data), render: [])
    }

    @Test func thereAreCases() { #expect(Self.cases.count > 48) }

    @Test(arguments: cases) func comesToItsFourFacts(_ item: Case) throws {
        let parsed = try JSONSerialization.jsonObject(with: item.line)
        let item = try #require(parsed as? [String: Any])
        let plan = try plan(try #require(item["family"] as? String))
        let raw =
            (item["base64"] as? String).flatMap { Data(base64Encoded: $0) }.map { Array($0) }
            ?? bytes(item["body"] as? String ?? "")
        let extra = item["fields"] as? [String: String] ?? [:]
        let type = [("Content-Type", item["type"] as? String ?? "")]
        let view = ResponseView(
            status: item["status"] as? Int ?? 0, fields: fields(type + extra.map { ($0.key, $0.value) }), body: raw)
        let draft = RequestDraft(
            method: bytes("GET"), path: bytes("/"), query: nil, fields: PairBlock(), content: .none, host: [],
            remote: [])
        let scope = ExchangeScope(
            request: draft, now: (0, 0), surroundings: Surroundings(secrets: [], device: []))
        scope.response = view
        let answer = try MessageRenderer.render(scope, rule: EnvelopeRule(from: plan, target: .standard))
        var expected = try #require(item["expect"] as? [String: Any])
        expected["success"] = expected.removeValue(forKey: "ok")
        let found = try JSONSerialization.jsonObject(with: Data(answer.body))
        #expect(try #require(found as? NSDictionary) == expected as NSDictionary, "\(text(answer.body))")
        #expect(answer.status == item["status"] as? Int)
    }
}
