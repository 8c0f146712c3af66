import Testing

@testable import Domain

@Suite struct RetryTests {
    private func verdict(
        _ kind: TransferFailure.Kind, idempotent: Bool = true, streamed: Bool = false, attempts: Int = 1,
        head: Bool = false, reused: Bool = true
    ) -> RetryPolicy.Verdict {
        var budget = RetryBudget()
        return RetryPolicy().verdict(
            failure(kind, reused: reused),
            RetryPolicy.Request(
                isIdempotent: idempotent, bodyIsStreamed: streamed, attempts: attempts, headReceived: head),
            budget: &budget, now: s(1))
    }

    @Test func aLostConnectionIsTriedOnceMore() {
        #expect(verdict(.reset) == .retry)
        #expect(verdict(.reset, reused: false) == .giveUp(.pointless))
        #expect(verdict(.reset, attempts: 2) == .giveUp(.attemptsSpent))
        #expect(verdict(.reset, idempotent: false) == .giveUp(.notIdempotent))
        #expect(verdict(.reset, streamed: true) == .giveUp(.bodyStreamed))
        #expect(verdict(.reset, head: true) == .giveUp(.answerBegun))
    }

    /// RFC 9113 8.7: the upstream said so.
    @Test func whatWasNotProcessedIsSentAgain() {
        var refused = failure(.reset, reused: false)
        refused.isUnprocessed = true
        func verdict(_ attempts: Int, streamed: Bool = false) -> RetryPolicy.Verdict {
            // Spent: retries of such requests are not a failing upstream's.
            var budget = RetryBudget()
            while budget.takeRetry(now: s(1)) {}
            return RetryPolicy().verdict(
                refused,
                RetryPolicy.Request(
                    isIdempotent: false, bodyIsStreamed: streamed, attempts: attempts, headReceived: false),
                budget: &budget, now: s(1))
        }
        #expect(verdict(1) == .retry)
        #expect(verdict(2) == .giveUp(.attemptsSpent))
        #expect(verdict(1, streamed: true) == .giveUp(.bodyStreamed))
        #expect(GatewayError(refused).retry == .safe)
    }

    @Test(arguments: TransferFailure.Kind.allCases.filter { $0 != .reset })
    func whatWouldFailAgainIsNotTried(_ kind: TransferFailure.Kind) {
        #expect(verdict(kind) == .giveUp(.pointless))
    }

    @Test func aConnectionThatHadRestedNeedsNoBudget() {
        var budget = RetryBudget()
        while budget.takeRetry(now: 0) {}
        for (rested, verdict) in [(0, false), (99_999_999, false), (100_000_000, true)] as [(UInt64, Bool)] {
            let failure = TransferFailure(
                kind: .reset, requestSent: true, connectionReused: true, connectionRested: rested, detail: "")
            let request = RetryPolicy.Request(
                isIdempotent: true, bodyIsStreamed: false, attempts: 1, headReceived: false)
            let result = RetryPolicy().verdict(failure, request, budget: &budget, now: 0)
            #expect(result == (verdict ? .retry : .giveUp(.budgetSpent)))
        }
    }

    @Test func theBudgetIsATenthOfTheLastTenSecondsWithAFloorOfThree() {
        var budget = RetryBudget()
        #expect((0..<5).map { _ in budget.takeRetry(now: s(100)) } == [true, true, true, false, false])
        for second in UInt64(0)..<10 { for _ in 0..<10 { budget.requestSent(now: s(200 + second)) } }
        #expect((0..<12).filter { _ in budget.takeRetry(now: s(209)) }.count == 10)
        // The first of the ten seconds left the window: 90 requests allow 9, and 10 were taken.
        let extra = budget.takeRetry(now: s(210))
        #expect(!extra)
        // A new window: the floor again.
        #expect((0..<5).filter { _ in budget.takeRetry(now: s(300)) }.count == 3)
    }

    @Test func aClockThatStandsStillOrJumpsDoesNotTrap() {
        var budget = RetryBudget()
        budget.requestSent(now: s(50))
        budget.requestSent(now: s(10))
        budget.requestSent(now: .max)
        let late = budget.takeRetry(now: .max)
        #expect(late)
    }

    @Test(arguments: [
        (1, 0.0, UInt64(800_000_000)), (1, 0.5, s(1)), (2, 0.5, s(2)), (6, 0.5, s(32)), (7, 0.5, s(60)),
        (1000, 0.5, s(60)), (0, 0.5, 0), (1, .nan, s(1)), (1, 7.0, s(1)),
    ])
    func backoffDoublesAndIsCapped(_ failures: Int, _ jitter: Double, _ pause: UInt64) {
        #expect(Backoff(min: s(1), max: s(60)).delay(failures: failures, jitter: jitter) == pause)
    }
}
