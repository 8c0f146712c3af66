import Testing

@testable import Domain

@Suite struct ReachabilityTests {
    private func machine(failures: Int = 3) -> ReachabilityMachine {
        var plan = ReachabilityPlan()
        plan.failures = failures
        return ReachabilityMachine(plan: plan)
    }

    /// Opens the breaker at `now`; jitter 0.5 keeps the pause exact.
    private func open(_ machine: inout ReachabilityMachine, now: UInt64 = s(10)) throws {
        for _ in 0..<machine.plan.failures {
            let ticket = try unwrap(machine.ticket(now: now))
            _ = machine.transferFailed(ticket, failure(.refused), now: now, jitter: 0.5)
        }
        #expect(machine.status(now: now).breaker == .open)
    }

    @Test func oneThatIsOffNeverOpens() throws {
        var machine = ReachabilityMachine(plan: ReachabilityPlan(opens: false))
        let first = try unwrap(machine.ticket(now: s(1)))
        #expect(machine.transferSucceeded(first) == nil && machine.status(now: s(1)).state == .up)
        for _ in 0..<100 {
            let ticket = try unwrap(machine.ticket(now: s(2)))
            #expect(machine.transferFailed(ticket, failure(.refused), now: s(2), jitter: 0.5) == nil)
        }
        #expect(machine.status(now: s(2)).breaker == .closed && machine.status(now: s(2)).state == .unknown)
    }

    @Test func switchingItOffClosesIt() throws {
        var machine = machine()
        try open(&machine)
        machine.planChanged(ReachabilityPlan(opens: false))
        #expect(machine.ticket(now: s(10)) != nil)
    }

    @Test func soManyFailuresInARowOpenIt() throws {
        var machine = machine()
        #expect(machine.status(now: 0).state == .unknown)
        for round in 1...3 {
            let ticket = try unwrap(machine.ticket(now: s(1)))
            let change = machine.transferFailed(ticket, failure(.refused), now: s(1), jitter: 0.5)
            #expect(change == (round == 3 ? .wentDown(trialAt: s(2)) : nil))
        }
        guard case .refuse(let error) = machine.admit(now: s(1) + 400_000_000) else {
            Issue.record("admitted")
            return
        }
        #expect(error.kind == .offline)
        #expect(error.detail == "connect: why")
        #expect(error.retryAfter == 600_000_000)
        #expect(machine.status(now: s(1)).lastFailure == .refused)
    }

    @Test func aSuccessBetweenStartsTheCountAnew() throws {
        var machine = machine()
        for _ in 0..<10 {
            for _ in 0..<2 {
                let ticket = try unwrap(machine.ticket(now: s(1)))
                #expect(machine.transferFailed(ticket, failure(.reset), now: s(1), jitter: 0) == nil)
            }
            let ticket = try unwrap(machine.ticket(now: s(1)))
            #expect(machine.transferSucceeded(ticket) == nil)
        }
        #expect(machine.status(now: s(1)).state == .up)
    }

    @Test func oneTrialAtOnceAndItsSuccessCloses() throws {
        var machine = machine()
        try open(&machine)
        #expect(machine.ticket(now: s(11) - 1) == nil)
        let trial = try unwrap(machine.ticket(now: s(11)))
        #expect(trial.isTrial)
        #expect(machine.status(now: s(11)).breaker == .halfOpen)
        #expect(machine.ticket(now: s(11)) == nil)
        #expect(machine.transferSucceeded(trial) == .cameUp)
        #expect(machine.status(now: s(11)).state == .up)
        // As many failures as before are needed to open it again (peers 81).
        let ticket = try unwrap(machine.ticket(now: s(12)))
        #expect(machine.transferFailed(ticket, failure(.refused), now: s(12), jitter: 0) == nil)
    }

    @Test func failedTrialsDoubleThePauseUpToItsCap() throws {
        var machine = machine()
        try open(&machine, now: 0)
        var now = s(1)
        for pause in [2, 4, 8, 16, 30, 30].map({ s($0) }) {
            let trial = try unwrap(machine.ticket(now: now))
            let change = machine.transferFailed(trial, failure(.connectTimeout), now: now, jitter: 0.5)
            #expect(change == .stillDown(trialAt: now + pause))
            now += pause
        }
    }

    @Test func aTrialWithoutEvidenceMakesRoomForAnother() throws {
        var machine = machine()
        try open(&machine)
        let trial = try unwrap(machine.ticket(now: s(11)))
        #expect(machine.transferEnded(trial, now: s(12)) == .stillDown(trialAt: s(12)))
        #expect(machine.ticket(now: s(12))?.isTrial == true)
    }

    @Test func failuresFromBeforeTheOpeningDoNotOpenItAgain() throws {
        var machine = machine()
        let old = try (0..<5).map { _ in try unwrap(machine.ticket(now: s(1))) }
        try open(&machine)
        let trial = try unwrap(machine.ticket(now: s(11)))
        _ = machine.transferSucceeded(trial)
        for ticket in old {
            #expect(machine.transferFailed(ticket, failure(.firstByteTimeout), now: s(31), jitter: 0) == nil)
        }
        #expect(machine.status(now: s(31)).breaker == .closed)
    }

    @Test func anAnswerToAnOldRequestProvesTheReturn() throws {
        var machine = machine()
        let old = try unwrap(machine.ticket(now: s(1)))
        try open(&machine)
        #expect(machine.transferSucceeded(old) == .cameUp)
        #expect(machine.ticket(now: s(10))?.isTrial == false)
    }

    @Test(arguments: TransferFailure.Kind.allCases) func evidenceOfEachFailure(_ kind: TransferFailure.Kind) {
        let expected: ReachabilityEvidence =
            switch kind {
            case .unreachable, .dns, .refused, .connectTimeout, .firstByteTimeout, .idleTimeout, .totalTimeout, .proxy,
                .reset:
                .unreachable
            case .tls, .malformedAnswer: .reachable
            case .overloaded, .local: .none
            }
        #expect(ReachabilityEvidence(failure(kind)) == expected)
        #expect(ReachabilityEvidence(failure(.reset, reused: true)) == .none)
    }

    @Test func aTLSFailureClosesTheBreakerSoThatTheTrueCauseIsTold() throws {
        var machine = machine()
        try open(&machine)
        let trial = try unwrap(machine.ticket(now: s(11)))
        #expect(machine.transferFailed(trial, failure(.tls), now: s(11), jitter: 0) == .cameUp)
    }

    @Test(arguments: 0..<40 as Range<UInt64>) func atMostOneTrialWhateverComes(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var machine = machine()
        var tickets: [ReachabilityMachine.Ticket] = []
        var now = s(1)
        for _ in 0..<800 {
            now += UInt64.random(in: 0...s(2), using: &random)
            let position = tickets.indices.randomElement(using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4: if let ticket = machine.ticket(now: now) { tickets.append(ticket) }
            case 4..<6:
                guard let position else { continue }
                let kind = TransferFailure.Kind.allCases.randomElement(using: &random) ?? .reset
                _ = machine.transferFailed(tickets.remove(at: position), failure(kind), now: now, jitter: 0.1)
            case 6: if let position { _ = machine.transferSucceeded(tickets.remove(at: position)) }
            default: if let position { _ = machine.transferEnded(tickets.remove(at: position), now: now) }
            }
            let trials = tickets.filter { $0.isTrial && $0.epoch == machine.epoch }.count
            #expect(trials <= 1)
            #expect((machine.status(now: now).breaker == .halfOpen) == (trials == 1), "seed \(seed)")
        }
    }
}

extension ReachabilityMachine {
    /// The leave to send, where there is one.
    fileprivate mutating func ticket(now: UInt64) -> Ticket? {
        if case .go(let ticket) = admit(now: now) { return ticket }
        return nil
    }
}
