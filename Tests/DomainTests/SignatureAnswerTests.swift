import Bytes
import Expressions
import Testing

@testable import Domain

/// What an answer says about a signature: the upstream's time, and its own string to sign.
struct SignatureAnswerTests {
    private static func time(_ source: String, _ fields: [(String, String)] = [], body: String = "{}") throws -> Int64?
    {
        var block = PairBlock()
        for field in fields { block.append(name: Array(field.0.utf8), value: Array(field.1.utf8)) }
        let scope = ExchangeScope(
            request: LoginRun.emptyDraft, now: (0, 0), surroundings: Surroundings(secrets: [], device: []))
        scope.response = ResponseView(status: 403, fields: block, body: Array(body.utf8))
        let test = try Expression(parsing: source, in: Scopes(secretNames: []).response())
        return try ClockRefusal.upstreamTime(told: test, scope, block)
    }

    private static let date = ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")

    @Test(arguments: [
        ("status == 403", 784_111_777), ("status == 401", nil), ("json.t", 1_700_000_000), ("json.ms", 1_700_000_000),
        ("json.text", 784_111_777), ("timestamp(json.iso)", 1_700_000_000), ("json.iso", 1_700_000_000),
        ("json.missing", nil), ("json.digits", 1_700_000_000), ("json.f", 1_700_000_000), ("null", nil),
        ("json.bad", nil), ("json.huge", nil),
    ])
    func readsTheUpstreamsTime(source: String, expected: Int64?) throws {
        let body = """
            {"t":1700000000,"ms":1700000000123,"text":"Sun, 06 Nov 1994 08:49:37 GMT","iso":"2023-11-14T22:13:20Z",
             "digits":"1700000000","f":1700000000.9,"bad":"soon","huge":1e300}
            """
        #expect(try Self.time(source, [Self.date], body: body) == expected)
    }

    @Test func aDateFromACacheCountsForNothing() throws {
        #expect(try Self.time("status == 403", [Self.date, ("Age", "0")]) == nil)
        #expect(try Self.time("status == 403") == nil)
    }

    @Test func anAdoptedTimeHoldsAtOnceWithinADay() {
        var clock = ClockOffset()
        let taken = clock.adopt(upstream: 1_700_003_600, wall: (1_700_000_000, 0))
        #expect(taken && clock.seconds == 3600)
        let early = clock.adopt(upstream: 1, wall: (1_700_000_000, 0))
        let overflow = clock.adopt(upstream: .min, wall: (1_700_000_000, 0))
        #expect(!early && !overflow && clock.seconds == 3600)
        let near = clock.adopt(upstream: 1_700_000_001, wall: (1_700_000_000, 0))
        #expect(near && clock.nanoseconds == 0)
    }

    @Test func theFirstDifferenceIsFound() throws {
        let difference = try #require(EchoDifference(ours: Array("GET\n/a\nx".utf8), theirs: Array("GET\n/b\nx".utf8)))
        #expect(difference.line == 2 && difference.offset == 5)
        #expect(EchoDifference(ours: [1], theirs: [1]) == nil)
        let longer = try #require(EchoDifference(ours: [], theirs: Array("a".utf8)))
        #expect(longer.offset == 0 && longer.line == 1 && longer.theirs == Array("a".utf8))
    }

    @Test func theNearestVariableIsCompared() {
        let values: [Value] = [.text("abc"), .int(5), .text("GET\nx"), .text("GE")]
        #expect(EchoDifference.nearest(to: Array("GET\ny".utf8)[...], among: values) == Array("GET\nx".utf8)[...])
        #expect(EchoDifference.nearest(to: [1], among: [.int(1)]) == nil)
    }
}
