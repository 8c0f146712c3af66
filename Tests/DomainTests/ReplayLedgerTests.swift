import Testing

@testable import Domain

/// How often one exchange goes out for the sake of its session.
@Suite struct ReplayLedgerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// Refused generations, in order; the last one's verdict is looked at.
        var refused: [UInt64]
        var isReplayable = true
        var objection: ReplayLedger.Reason?
        var verdict: ReplayLedger.Verdict
        var testDescription: String { "\(refused) kept \(isReplayable) but \(objection.map { "\($0)" } ?? "-")" }
    }

    static let rows = [
        Row(refused: [1], verdict: .replay),
        Row(refused: [1, 2], verdict: .replay),
        Row(refused: [4, 9], verdict: .replay),
        Row(refused: [1, 2, 3], verdict: .passOn(.attemptsSpent)),
        Row(refused: [1], isReplayable: false, verdict: .passOn(.bodyTooLarge)),
        Row(refused: [1], objection: .loginsSpent, verdict: .passOn(.loginsSpent)),
        Row(refused: [1, 2], objection: .sameCredential, verdict: .passOn(.sameCredential)),
        // The session protects the others, whatever else stands in the way.
        Row(refused: [1], isReplayable: false, objection: .loginsSpent, verdict: .passOn(.loginsSpent)),
        Row(refused: [1, 2, 3], objection: .loginsSpent, verdict: .passOn(.loginsSpent)),
    ]

    @Test(arguments: rows) func theVerdictOnTheLastRefusal(_ row: Row) throws {
        var ledger = ReplayLedger()
        for generation in row.refused.dropLast() {
            #expect(
                ledger.credentialRefused(generation: generation, isReplayable: true, objection: nil) == .replay)
        }
        let replays = ledger.replays
        let verdict = ledger.credentialRefused(
            generation: try #require(row.refused.last), isReplayable: row.isReplayable, objection: row.objection)
        #expect(verdict == row.verdict)
        #expect(ledger.replays == replays + (row.verdict == .replay ? 1 : 0))
    }

    @Test func aReplayNeedsANewerGeneration() {
        var ledger = ReplayLedger()
        // A session without a login has generation 0.
        #expect(ledger.admits(generation: 0))
        _ = ledger.credentialRefused(generation: 4, isReplayable: true, objection: nil)
        #expect([3, 4, 5, 9].map { ledger.admits(generation: $0) } == [false, false, true, true])
        _ = ledger.credentialRefused(generation: 9, isReplayable: true, objection: nil)
        #expect([5, 9, 10].map { ledger.admits(generation: $0) } == [false, false, true])
    }
}
