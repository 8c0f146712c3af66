import Bytes
import JSONBytes
import Testing

@testable import Expressions

/// Whatever works on a value is charged by its size before it works: a client may send what it likes.
struct CostTests {
    private static let count = 40_000
    private static var text: Value { .string(ArraySlice(repeating: 0x61, count: 1 << 20)) }

    /// Functions that do not look into what they are given, or that charge for their work while they do it.
    private static let free: Set<String> = [
        "dyn", "type", "orValue", "value", "hasValue", "or", "optional.of", "matches", "regex.extract",
        "regex.extractAll",
    ]

    private static func large(_ type: StaticType) -> Value? {
        switch type {
        case .string, .dyn: text
        case .bytes: .bytes(ArraySlice(repeating: 0x61, count: 1 << 20))
        case .list: .list(Array(repeating: .text("a"), count: count))
        case .map: .map(MapValue((0..<count).map { ("k\($0)", .int(1)) }))
        case .pairs: .pairs(Percent.pairs(pairs.span), folding: false)
        default: nil
        }
    }

    private static let pairs = Array((0..<count).map { "k\($0)=v" }.joined(separator: "&").utf8)

    @Test func everyFunctionIsChargedForItsArguments() throws {
        var count = 0
        for function in FunctionTable.standard.functions where !Self.free.contains(function.name) {
            for signature in function.signatures {
                for (place, types) in signature.parameters.enumerated() {
                    // A part of bytes is no copy.
                    for type in types where function.name != "slice" || type != .bytes {
                        guard let value = Self.large(type) else { continue }
                        var meter = Meter(steps: .max)
                        try meter.charge(value, function.cost)
                        #expect(.max - meter.steps > 100, "\(signature.text), argument \(place)")
                        count += 1
                    }
                }
            }
        }
        #expect(count > 200)
    }

    /// Each would take seconds and more.
    @Test(arguments: [
        "pbkdf2.sha256('p', 's', int(text), 32)", "scrypt('p', 's', int(text) > 0 ? 32768 : 2, 8, 2, 32)",
        "json.canonical(json)", "pairs.flatten(json, 'dots')", "json.k.sort()", "json.k.map(a, json.k.map(b, a + b))",
        "json.k.map(i, json.k[40000])",
        "json.k.distinct() == json.k && json.k in [json.k]",
        "json.k.map(a, [json]) == json.k.map(a, [json])", "json.k.all(a, json == json)", "json.k.map(a, 'k' in json)",
        "json.k.map(a, x.size())", "json.k.map(a, x + x)", "json.k.map(b, [x, x].join()).size() == 1",
        "x.replace('a', 'bb').replace('b', 'cc').split('').sort()",
        "x.lastIndexOf(x.substring(9))  == json.k.size() && x.split('').sort() == []",
        "regex.replace(x, '(a)(b)?', '\\\\1')", "x.matches(x)",
        "x.split('').distinct() == [] && sets.intersects(json.k, [-1])",
        "sets.contains(json.k, json.k)", "json.k.exists(a, rsa.sha256(text, 'x') == b'')",
        "json.k.map(a, {'a': 1, 'b': 2, 'c': 3})",
        "'%f'.format([json.k.map(a, '%f'.format([1e300]))])",
    ])
    func hostileWorkIsStopped(source: String) throws {
        let list = (0...Self.count).map { "\($0)" }.joined(separator: ",")
        let members = (0..<Self.count).map { "\"m\($0)\":1" }.joined(separator: ",")
        let expression = try Expression(parsing: source, in: TestHost.scope)
        let host = TestHost(json: "{\"k\":[\(list)],\(members)}", x: Self.text)
        host.values[6] = .text("4194304")
        let before = Expression.refusals
        let clock = ContinuousClock()
        var failure: EvaluationError?
        let time = clock.measure {
            do throws(EvaluationError) { _ = try expression.evaluate(host) } catch { failure = error }
        }
        #expect(failure?.kind == .budgetExceeded, "\(failure.map { "\($0)" } ?? "a value") after \(time)")
        #expect(Expression.refusals > before)
    }

    /// With a look-up of each name it would take the square.
    @Test func membersAreWalkedWithTheirValues() throws {
        let members = (0..<Self.count).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
        let expression = try Expression(
            parsing: "json.transformMap(k, v, v + 1).size() == 40000 && json.all(k, v, v < 40000)", in: TestHost.scope)
        #expect(try expression.evaluate(TestHost(json: "{\(members)}")).bool == true)
        #expect(TestHost.outcome("json.transformMap(k, v, k == 'a', v).a", TestHost(json: "{\"b\":1,\"a\":2}")) == "2")
    }

    @Test func theBudgetIsTheConfigs() throws {
        var limits = ExpressionLimits()
        limits.steps = 10_000
        let source = "hash.sha256(x) == b''"
        let host = TestHost(x: Self.text)
        #expect(try !Expression(parsing: source, in: TestHost.scope).holds(host))
        #expect(try Expression(parsing: source, in: TestHost.scope).evaluate(host).bool == false)
        let small = try Expression(parsing: source, in: TestHost.scope, limits: limits)
        let error = #expect(throws: EvaluationError.self) { try small.evaluate(host) }
        #expect(error?.kind == .budgetExceeded)
    }

    /// What an ordinary answer costs stays far below.
    @Test func ordinaryWorkFits() throws {
        let items = (0..<500).map { "{\"id\":\($0),\"name\":\"item \($0)\",\"tags\":[\"a\",\"b\"]}" }.joined(
            separator: ",")
        let host = TestHost(json: "{\"status\":1,\"items\":[\(items)]}", x: Self.text)
        for source in [
            "json.canonical(json).size() > 0", "json.items.filter(i, i.id > 10).map(i, i.name).join(',').size() > 0",
            "pairs.join(pairs.sort(pairs.flatten(json, 'dots')), '=', '&').size() > 0",
            "size(hex.encode(hash.sha256(x))) == 64",
            "x.lastIndexOf('b') == -1 && x.indexOf('b') == -1", "!regex.extract(x, 'csrf=([a-z]+)').hasValue()",
        ] {
            let expression = try Expression(parsing: source, in: TestHost.scope)
            #expect(try expression.evaluate(host).bool == true, "\(source)")
        }
    }
}
