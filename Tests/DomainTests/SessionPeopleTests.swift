import Testing

@testable import Domain

/// Sessions that people take away or have to bring back.
@Suite struct SessionPeopleTests {
    private let todo = GatewayError(.loginRequired, detail: "open the page")

    private func ready(_ machine: inout SessionMachine, now: UInt64 = s(1)) throws {
        let flight = try unwrap(machine.exchangeArrived(1_000_000, now: now).startLogin)
        _ = machine.loginSucceeded(flight, grant("t\(flight)"), now: now, jitter: 0)
    }

    @Test func aFlightThatWaitsForAPersonParksNobody() throws {
        var machine = SessionMachine(limits: SessionLimits())
        let flight = try unwrap(machine.exchangeArrived(1, now: s(1)).startLogin)
        _ = machine.exchangeArrived(2, now: s(1))
        #expect(machine.loginWaits(flight, todo).failed?.ids == [1, 2])
        #expect(machine.loginWaits(flight, todo).isEmpty)
        let third = machine.exchangeArrived(3, now: s(2))
        #expect(third.startLogin == nil && third.verdict.error == todo)
        #expect(machine.status(now: s(2)).state == .loginRequired)
        #expect(machine.status(now: s(2)).action == "open the page")
        _ = machine.loginSucceeded(flight, grant("a"), now: s(3), jitter: 0)
        #expect(machine.exchangeArrived(4, now: s(3)).verdict.generation == 1)
        #expect(machine.status(now: s(3)).state == .ready && machine.status(now: s(3)).action == nil)
    }

    @Test func anOperatorStartsAWaitingLoginAnew() throws {
        var machine = SessionMachine(limits: SessionLimits())
        let first = try unwrap(machine.exchangeArrived(1, now: s(1)).startLogin)
        _ = machine.loginWaits(first, todo)
        let actions = machine.operatorReset(now: s(2))
        #expect(actions.count == 2)
        #expect(machine.flightUnderWay != first)
        #expect(machine.loginSucceeded(first, grant("late"), now: s(3), jitter: 0).isEmpty)
        #expect(machine.exchangeArrived(2, now: s(3)).verdict.deadline != nil)
    }

    @Test func anOperatorMayBeBoundToTheWindow() throws {
        var limits = SessionLimits()
        (limits.windowLogins, limits.windowTime) = (2, s(30))
        var machine = SessionMachine(limits: limits)
        for start in UInt64(1)...2 {
            #expect(machine.windowRefusal(now: s(start)) == nil)
            let flight = try unwrap(machine.operatorReset(now: s(start), keepsWindow: true).startedLogin)
            _ = machine.loginWaits(flight, todo)
        }
        #expect(machine.windowRefusal(now: s(3))?.retryAfter == s(28))
        #expect(machine.windowRefusal(now: s(31)) == nil)
        _ = machine.operatorReset(now: s(4))
        #expect(machine.windowRefusal(now: s(4)) == nil, "who is not bound starts a new window")
    }

    @Test func aLateFlightCannotSayThatItWaits() throws {
        var machine = SessionMachine(limits: SessionLimits())
        try ready(&machine)
        #expect(machine.loginWaits(1, todo).isEmpty)
        #expect(machine.status(now: s(2)).state == .ready)
    }

    @Test func takeoversAreCountedAndTheWindowPasses() throws {
        var machine = SessionMachine(limits: SessionLimits())
        let policy = TakenPlan.Policy.takeover(times: 2, per: s(100))
        try ready(&machine)
        for round in UInt64(1)...2 {
            let now = s(round * 10)
            let arrival = machine.credentialTaken(generation: round, round, policy: policy, now: now)
            let flight = try #require(arrival.startLogin)
            _ = machine.loginSucceeded(flight, grant("n\(round)"), now: now, jitter: 0)
        }
        let third = machine.credentialTaken(generation: 3, 3, policy: policy, now: s(30))
        #expect(third.startLogin == nil && third.verdict.error?.kind == .sessionTaken)
        #expect(third.verdict.error?.retryAfter == s(80))
        #expect(machine.exchangeArrived(4, now: s(109)).verdict.error?.kind == .sessionTaken)
        #expect(machine.status(now: s(109)).state == .taken)
        #expect(machine.exchangeArrived(5, now: s(110)).startLogin != nil)
    }

    @Test func yieldLastsUntilAnOperatorAsks() throws {
        var machine = SessionMachine(limits: SessionLimits())
        try ready(&machine)
        #expect(
            machine.credentialTaken(generation: 1, 1, policy: .yield, now: s(2)).verdict.error?.kind == .sessionTaken)
        let later = machine.exchangeArrived(2, now: s(1_000_000))
        #expect(later.startLogin == nil && later.verdict.error?.kind == .sessionTaken)
        #expect(machine.status(now: s(3)).state == .taken)
        #expect(machine.operatorReset(now: s(4)).count == 1)
        #expect(machine.status(now: s(4)).state == .loggingIn)
    }

    @Test(arguments: [TakenPlan.Policy.yield, .takeover(times: 1, per: 1)])
    func aStragglerTakesNothingAway(policy: TakenPlan.Policy) throws {
        var machine = SessionMachine(limits: SessionLimits())
        try ready(&machine)
        _ = machine.credentialRejected(generation: 1, 1, now: s(2))
        let flight = try #require(machine.flightUnderWay)
        _ = machine.loginSucceeded(flight, grant("b"), now: s(3), jitter: 0)
        #expect(machine.credentialTaken(generation: 1, 2, policy: policy, now: s(4)).verdict.generation == 2)
    }
}
