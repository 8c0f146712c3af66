import Bytes
import JSONBytes

@testable import Expressions

/// A small host: the names that the tests use, with fixed values.
final class TestHost: EvaluationContext {
    static let requestType = ObjectType(
        name: "request",
        members: [
            ("method", .string), ("path", .string), ("segments", .list(.string)), ("query", .pairs),
            ("headers", .pairs), ("form", .pairs), ("json", .json), ("body", .bytes),
        ])
    static let secretType = ObjectType(
        name: "secret", members: [("username", .string), ("password", .string), ("sign_key", .string)])
    static let sessionType = ObjectType(
        name: "session", members: [("token", .dyn), ("user_id", .dyn)], dynamic: .dyn)

    static let scope = Scope(names: [
        ("request", .object(requestType)), ("secret", .object(secretType)), ("session", .object(sessionType)),
        ("json", .json), ("status", .int), ("headers", .pairs), ("text", .string), ("vars", .map(.dyn)),
        ("now", .timestamp), ("code", .optional(.dyn)), ("message", .dyn), ("x", .dyn), ("data", .optional(.dyn)),
    ])

    final class Object: HostObject {
        let objectType: ObjectType
        var values: [Value?]
        var others: [String: Value] = [:]

        init(_ type: ObjectType, _ values: [Value?]) {
            objectType = type
            self.values = values
        }

        func member(_ index: Int) throws(EvaluationError) -> Value {
            guard let value = values[index] else { throw .unavailable(objectType.members[index].name) }
            return value
        }

        func member(named name: ArraySlice<UInt8>) throws(EvaluationError) -> Value? {
            others[String(decoding: name, as: UTF8.self)]
        }
    }

    var values: [Value?]
    /// How often a root name was asked for.
    var asked = 0

    init(form: String = "", json: String? = nil, x: Value? = nil, time: Int64 = 1_492_495_675) {
        let document = json.flatMap { try? JSONDocument(parsing: Array($0.utf8)) }
        let body = document.map { Value.json($0.root) }
        var headers = PairBlock()
        headers.append(name: Array("Content-Type".utf8).span, value: Array("text/html".utf8).span)
        headers.append(name: Array("X-A".utf8).span, value: Array("1".utf8).span)
        headers.append(name: Array("x-a".utf8).span, value: Array("2".utf8).span)
        let query = Percent.pairs(Array("a=1&b=2&a=3".utf8).span)
        let request = Object(
            TestHost.requestType,
            [
                .text("POST"), .text("/api/User/login"),
                .list([.text("api"), .text("User"), .text("login")]), .pairs(query, folding: false),
                .pairs(headers, folding: true), .pairs(Percent.pairs(Array(form.utf8).span), folding: false), body,
                .bytes(ArraySlice(form.utf8)),
            ])
        let secret = Object(TestHost.secretType, [.text("u5er"), .text("pa55word"), .text("tpshop2")])
        let session = Object(TestHost.sessionType, [.text("t0ken"), .text("2591")])
        session.others["extra"] = .int(7)
        values = [
            .object(request), .object(secret), .object(session), body, .int(200), .pairs(headers, folding: true),
            .text("hello"), .map(MapValue([("time", .text(String(time)))])),
            Timestamp(seconds: time).map { .timestamp($0) },
            .optional(body?.lookup(ArraySlice("status".utf8))), body?.lookup(ArraySlice("msg".utf8)) ?? .null, x,
            .optional(nil),
        ]
    }

    func value(at index: Int) throws(EvaluationError) -> Value {
        asked += 1
        guard let value = values[index] else { throw .unavailable(TestHost.scope.names[index].name) }
        return value
    }

    /// There is no value, and at the latest the evaluation says so.
    static func fails(_ source: String) -> Bool {
        let outcome = outcome(source)
        return outcome.hasPrefix("error") || outcome.contains("can never work here")
    }

    /// The value as JSON text; errors and issues as `error: ...`, `issue: ...`.
    static func outcome(_ source: String, _ host: TestHost = TestHost()) -> String {
        do {
            let value = try Expression(parsing: source, in: scope).evaluate(host)
            var text: [UInt8] = []
            value.appendJSON(to: &text)
            return String(decoding: text, as: UTF8.self)
        } catch let issues as ExpressionIssues {
            return "issue: \(issues)"
        } catch {
            return "error: \(error)"
        }
    }
}
