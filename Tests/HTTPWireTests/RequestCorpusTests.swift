import Bytes
import HTTPWire
import Testing

@Suite("Every case of the request corpus that the wire rules decide")
struct RequestCorpusTests {
    @Test func corpusIsThere() { #expect(CorpusCase.all.count > 300) }

    @Test(arguments: CorpusCase.all)
    func verdict(_ test: CorpusCase) throws {
        let outcome = try run(test.raw[...], pieces: [test.raw.count])
        #expect(outcome.requests.allSatisfy { !$0.target.contains("smuggled") })
        let status = judgedStatus(outcome)
        switch test.verdict {
        case "reject": try reject(test, outcome, status)
        case "either" where outcome.requests.isEmpty: #expect(test.statuses.contains(status))
        default: try accept(test, outcome)
        }
    }

    @Test(arguments: CorpusCase.all)
    func splitInvariance(_ test: CorpusCase) throws {
        let raw = test.raw
        let whole = try run(raw[...], pieces: [raw.count])
        if raw.count <= 70_000 {
            #expect(try run(raw[...], pieces: Array(repeating: 1, count: raw.count)) == whole, "byte by byte")
        }
        #expect(try run(raw[...], pieces: Array(repeating: 1021, count: raw.count / 1021 + 1)) == whole)
        // Every 2-way split of a case of ordinary size; about sixty of a large one, three of a huge one.
        let step = raw.count <= 1500 ? 1 : raw.count <= 100_000 ? 1 + raw.count / 61 : raw.count / 3
        for cut in stride(from: 1, to: raw.count, by: step) {
            guard try run(raw[...], pieces: [cut, raw.count - cut]) == whole else {
                Issue.record("split at \(cut) differs")
                return
            }
        }
    }

    private func run(_ bytes: ArraySlice<UInt8>, pieces: [Int]) throws -> WireConnection.Outcome {
        let rule = try #require(HostRule(allowing: [Array("gw.test".utf8)]))
        var connection = WireConnection(rule: rule)
        var rest = bytes
        for piece in pieces where !rest.isEmpty {
            connection.receive(rest.prefix(piece))
            rest = rest.dropFirst(piece)
        }
        return connection.outcome
    }

    /// The status a client would see: a refusal's, 408 for a request that never ends, 0 for a silent close.
    private func judgedStatus(_ outcome: WireConnection.Outcome) -> Int {
        if outcome.status != 0 { return outcome.status }
        if outcome.sentContinue, outcome.requests.isEmpty { return 100 }
        if !outcome.requests.isEmpty { return 200 }
        return outcome.isMidway ? 408 : 0
    }

    private func reject(_ test: CorpusCase, _ outcome: WireConnection.Outcome, _ status: Int) throws {
        #expect(outcome.requests.count <= (test.upstreamRequests ?? .max), "forwarded")
        #expect(test.statuses.contains(status), "status \(status), want \(test.statuses)")
        // An unfinished or silent connection is closed by a deadline, which is not the wire's.
        if test.close, outcome.status != 0 { #expect(outcome.closed, "left open") }
    }

    private func accept(_ test: CorpusCase, _ outcome: WireConnection.Outcome) throws {
        guard test.upstreamRequests != nil, !test.forwards.isEmpty else { return }
        try #require(outcome.requests.count == test.forwards.count)
        for (want, got) in zip(test.forwards, outcome.requests) {
            #expect(got.method == want.method)
            #expect(got.target == want.target)
            if want.body.hasPrefix("=") { #expect(got.body == CorpusCase.base64(String(want.body.dropFirst()))) }
            if want.body.hasPrefix("#") { #expect(got.body.count == Int(want.body.dropFirst())) }
            for name in want.mustNotHave where !name.contains("=") { #expect(!got.names.contains(name)) }
        }
        if test.close { #expect(outcome.closed, "left open") }
    }
}
