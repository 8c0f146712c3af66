import Testing

@testable import Domain

@Suite struct SessionMachineTests {
    private func machine(_ change: (inout SessionLimits) -> Void = { _ in }) -> SessionMachine {
        var limits = SessionLimits()
        change(&limits)
        return SessionMachine(limits: limits)
    }

    private let down = GatewayError(.timeout, detail: "login: response")
    private let wrong = GatewayError(.loginRefused, detail: "login: refused")

    /// Logs in and returns the credential.
    private func logIn(
        _ machine: inout SessionMachine, _ token: String = "a", lifetime: UInt64? = nil, now: UInt64 = s(1)
    ) throws -> CredentialSnapshot {
        let flight = try unwrap(machine.exchangeArrived(1_000_000, now: now).startLogin)
        _ = machine.loginSucceeded(flight, grant(token, lifetime: lifetime), now: now, jitter: 0)
        return try unwrap(machine.credential(now: now))
    }

    @Test func manyArrivalsCauseOneLoginAndAreReleasedInOrder() throws {
        var machine = machine()
        let first = machine.exchangeArrived(1, now: s(1))
        let flight = try #require(first.startLogin)
        #expect(first.verdict.deadline == s(16))
        for id in UInt64(2)...50 {
            let next = machine.exchangeArrived(id, now: s(2))
            #expect(next.startLogin == nil && next.verdict.deadline == s(17))
        }
        let actions = machine.loginSucceeded(flight, grant("a"), now: s(3), jitter: 0.5)
        #expect(actions.released == Array(1...50))
        #expect(machine.exchangeArrived(51, now: s(4)).verdict.generation == 1)
        #expect(machine.logins.started == 1 && machine.logins.succeeded == 1)
    }

    @Test func aStragglerGoesOnWithTheNewerCredential() throws {
        var machine = machine()
        let old = try logIn(&machine, "a")
        let flight = try unwrap(machine.credentialRejected(generation: old.generation, 2, now: s(2)).startLogin)
        _ = machine.loginSucceeded(flight, grant("b"), now: s(3), jitter: 0)
        let late = machine.credentialRejected(generation: old.generation, 3, now: s(4))
        #expect(late.startLogin == nil)
        #expect(late.verdict.generation == 2)
    }

    @Test func rejectionsDuringTheFlightOnlyWait() throws {
        var machine = machine()
        let old = try logIn(&machine)
        _ = machine.credentialRejected(generation: old.generation, 2, now: s(2))
        let second = machine.credentialRejected(generation: old.generation, 3, now: s(2))
        #expect(second.startLogin == nil && second.verdict.deadline != nil)
    }

    @Test func aLoginThatBringsTheRejectedCredentialHasFailed() throws {
        var machine = machine()
        let old = try logIn(&machine, "same")
        let flight = try unwrap(machine.credentialRejected(generation: old.generation, 2, now: s(2)).startLogin)
        let actions = machine.loginSucceeded(flight, grant("same"), now: s(3), jitter: 0)
        #expect(actions.failed?.ids == [2])
        #expect(actions.failed?.error.kind == .loginUnavailable)
        #expect(machine.status(now: s(3)).state == .backoff)
        #expect(machine.generation == 1)
    }

    @Test func aLoginWithoutCapturesIsNeverTheSame() throws {
        var machine = machine()
        let empty = CredentialGrant(captures: [], fingerprint: [])
        let flight = try unwrap(machine.exchangeArrived(1, now: s(1)).startLogin)
        _ = machine.loginSucceeded(flight, empty, now: s(1), jitter: 0)
        let again = try unwrap(machine.credentialRejected(generation: 1, 2, now: s(2)).startLogin)
        #expect(machine.loginSucceeded(again, empty, now: s(3), jitter: 0).released == [2])
    }

    @Test func aFailedLoginFailsAllWithOneCauseAndIsRemembered() throws {
        var machine = machine()
        let flight = try unwrap(machine.exchangeArrived(1, now: s(10)).startLogin)
        _ = machine.exchangeArrived(2, now: s(10))
        let actions = machine.loginFailed(flight, down, now: s(11), jitter: 0.5)
        #expect(actions.failed?.ids == [1, 2])
        #expect(actions.failed?.error.kind == .timeout)
        #expect(actions.failed?.error.retryAfter == s(1))
        let during = machine.exchangeArrived(3, now: s(11) + 250_000_000)
        #expect(during.startLogin == nil)
        #expect(during.verdict.error?.kind == .timeout)
        #expect(during.verdict.error?.retryAfter == 750_000_000)
        #expect(machine.exchangeArrived(4, now: s(12)).startLogin != nil)
    }

    @Test func thePauseDoublesUpToItsCapAndASuccessForgetsIt() throws {
        var machine = machine { $0.windowLogins = 0 }
        var now = s(1)
        for pause in [1, 2, 4, 8, 16, 32, 60, 60].map({ s($0) }) {
            let flight = try unwrap(machine.exchangeArrived(1, now: now).startLogin)
            _ = machine.loginFailed(flight, down, now: now, jitter: 0.5)
            #expect(machine.status(now: now).retryAfter == pause)
            now += pause
        }
        let flight = try unwrap(machine.exchangeArrived(1, now: now).startLogin)
        _ = machine.loginSucceeded(flight, grant("a"), now: now, jitter: 0)
        let again = try unwrap(machine.credentialRejected(generation: 1, 1, now: now).startLogin)
        _ = machine.loginFailed(again, down, now: now, jitter: 0.5)
        #expect(machine.status(now: now).retryAfter == s(1))
    }

    @Test func refusedCredentialsStopEverythingUntilSomebodyActs() throws {
        var machine = machine()
        let flight = try unwrap(machine.exchangeArrived(1, now: s(1)).startLogin)
        #expect(machine.loginRefused(flight, wrong).failed?.error.kind == .loginRefused)
        let later = machine.exchangeArrived(2, now: s(1_000_000))
        #expect(later.startLogin == nil && later.verdict.error?.kind == .loginRefused)
        #expect(machine.planChanged(SessionLimits(), now: s(1_000_001), jitter: 0).isEmpty)
        #expect(machine.exchangeArrived(2, now: s(1_000_002)).startLogin == nil)
        #expect(machine.operatorReset(now: s(1_000_003)).startedLogin != nil)
        #expect(machine.status(now: s(1_000_003)).state == .loggingIn)
    }

    @Test func aReloadKeepsWhoWaitsAndTheLoginUnderWay() throws {
        var machine = machine()
        let flight = try unwrap(machine.exchangeArrived(1, now: s(1)).startLogin)
        var limits = SessionLimits()
        limits.waiting = 1
        #expect(machine.planChanged(limits, now: s(2), jitter: 0).isEmpty)
        #expect(machine.exchangeArrived(2, now: s(2)).verdict.error?.kind == .sessionPending)
        #expect(machine.loginSucceeded(flight, grant("a"), now: s(3), jitter: 0).released == [1])
        #expect(machine.generation == 1)
    }

    @Test func aReloadMovesTheRefresh() throws {
        var machine = machine()
        let flight = try unwrap(machine.exchangeArrived(1, now: s(0)).startLogin)
        _ = machine.loginSucceeded(flight, grant("a", lifetime: s(1000)), now: s(0), jitter: 0)
        var limits = SessionLimits()
        limits.refreshAhead = s(100)
        guard case .scheduleLogin(at: s(910))? = machine.planChanged(limits, now: s(1), jitter: 0).first else {
            Issue.record("not moved")
            return
        }
        #expect(machine.exchangeArrived(2, now: s(909)).startLogin == nil)
        #expect(machine.exchangeArrived(3, now: s(910)).startLogin != nil)
    }

    @Test func refreshRunsAheadWhileTheOldCredentialServes() throws {
        var machine = machine()
        let flight = try unwrap(machine.exchangeArrived(1, now: 0).startLogin)
        let actions = machine.loginSucceeded(flight, grant("a", lifetime: s(1000)), now: 0, jitter: 0)
        // 20 % of 1000 s is 200 s, less than 5 min; jitter 0 takes nine tenths of it.
        #expect(actions.loginAt == s(820))
        #expect(machine.loginDue(now: s(819)).loginAt == s(820))
        let refresh = try unwrap(machine.loginDue(now: s(820)).startedLogin)
        let during = machine.exchangeArrived(2, now: s(821))
        #expect(during.verdict.generation == 1 && during.startLogin == nil)
        #expect(machine.loginDue(now: s(822)).isEmpty)
        _ = machine.loginSucceeded(refresh, grant("b", lifetime: s(1000)), now: s(823), jitter: 0)
        #expect(machine.exchangeArrived(3, now: s(824)).verdict.generation == 2)
    }

    @Test func refreshIsAlsoSetOffByUseWhenTheTimerIsLate() throws {
        var machine = machine()
        _ = try logIn(&machine, "a", lifetime: s(100), now: 0)
        let arrival = machine.exchangeArrived(2, now: s(90))
        #expect(arrival.verdict.generation == 1)
        #expect(arrival.startLogin != nil)
        #expect(machine.exchangeArrived(3, now: s(91)).startLogin == nil)
    }

    @Test func aSoftFailureKeepsTheOldCredentialUntilItsHardExpiry() throws {
        var machine = machine()
        _ = try logIn(&machine, "a", lifetime: s(100), now: 0)
        let refresh = try unwrap(machine.loginDue(now: s(90)).startedLogin)
        #expect(machine.loginFailed(refresh, down, now: s(91), jitter: 0.5).loginAt == s(92))
        #expect(machine.exchangeArrived(2, now: s(91)).verdict.generation == 1)
        let again = try unwrap(machine.loginDue(now: s(99)).startedLogin)
        _ = machine.loginFailed(again, down, now: s(99), jitter: 0.5)
        let dead = machine.exchangeArrived(3, now: s(100))
        #expect(dead.startLogin == nil && dead.verdict.error?.kind == .timeout)
        #expect(machine.exchangeArrived(4, now: s(101)).startLogin != nil)
    }

    @Test func aCredentialThatExpiresDuringTheRefreshWaitsForTheSameFlight() throws {
        var machine = machine()
        _ = try logIn(&machine, "a", lifetime: s(100), now: 0)
        let refresh = try unwrap(machine.loginDue(now: s(95)).startedLogin)
        let arrival = machine.exchangeArrived(2, now: s(100))
        #expect(arrival.startLogin == nil && arrival.verdict.deadline != nil)
        #expect(machine.loginSucceeded(refresh, grant("b"), now: s(101), jitter: 0).released == [2])
    }

    @Test func aRefusedRefreshServesOnAndThenStops() throws {
        var machine = machine()
        _ = try logIn(&machine, "a", lifetime: s(100), now: 0)
        let refresh = try unwrap(machine.loginDue(now: s(95)).startedLogin)
        #expect(machine.loginRefused(refresh, wrong).isEmpty)
        #expect(machine.exchangeArrived(2, now: s(96)).verdict.generation == 1)
        let dead = machine.exchangeArrived(3, now: s(100))
        #expect(dead.startLogin == nil && dead.verdict.error?.kind == .loginRefused)
        #expect(machine.status(now: s(100)).state == .refused)
    }

    @Test func theWallClockEndsACredentialAfterASuspend() throws {
        var machine = machine()
        let flight = try unwrap(machine.exchangeArrived(1, now: s(1)).startLogin)
        _ = machine.loginSucceeded(
            flight, grant("a", lifetime: s(100), wallExpiry: 5_100), now: s(1), jitter: 0)
        #expect(machine.exchangeArrived(2, now: s(2), wall: 5_100).verdict.generation == 1)
        #expect(machine.exchangeArrived(3, now: s(2), wall: 5_101).startLogin != nil)
    }

    @Test func waitersAreBoundedInNumberAndTime() throws {
        var machine = machine { $0.waiting = 2 }
        let flight = try unwrap(machine.exchangeArrived(1, now: s(1)).startLogin)
        _ = machine.exchangeArrived(2, now: s(1))
        #expect(machine.exchangeArrived(3, now: s(1)).verdict.error?.kind == .sessionPending)
        #expect(machine.waiterExpired(1)?.failedOne == 1)
        #expect(machine.waiterExpired(1) == nil)
        machine.waiterLeft(2)
        #expect(machine.flightUnderWay == flight)
        #expect(machine.loginSucceeded(flight, grant("a"), now: s(2), jitter: 0).released == nil)
        #expect(machine.exchangeArrived(4, now: s(3)).verdict.generation == 1)
    }

    @Test func atMostSoManyLoginsInTheWindow() throws {
        var machine = machine { ($0.windowLogins, $0.windowTime) = (3, s(30)) }
        for round in UInt64(0)..<3 {
            let arrival =
                round == 0
                ? machine.exchangeArrived(1, now: s(1))
                : machine.credentialRejected(generation: round, 1, now: s(1 + round))
            let flight = try #require(arrival.startLogin)
            _ = machine.loginSucceeded(flight, grant("\(round)"), now: s(1 + round), jitter: 0)
        }
        let blocked = machine.credentialRejected(generation: 3, 1, now: s(5))
        #expect(blocked.startLogin == nil)
        #expect(blocked.verdict.error?.kind == .loginUnavailable)
        #expect(blocked.verdict.error?.retryAfter == s(26))
        #expect(machine.exchangeArrived(2, now: s(30)).startLogin == nil)
        #expect(machine.exchangeArrived(3, now: s(31)).startLogin != nil)
    }

    /// Logins of the window, the generation that was refused, and seconds since the newest login.
    @Test(arguments: [
        // Free: fewer logins than the window holds.
        (logins: 1, window: 3, generation: UInt64(1), after: UInt64(1), renews: true),
        (logins: 2, window: 3, generation: 2, after: 1, renews: true),
        // Used up, and about the credential that serves: it is kept for the others.
        (logins: 3, window: 3, generation: 3, after: 1, renews: false),
        (logins: 1, window: 1, generation: 1, after: 29, renews: false),
        // The window has passed since its first login.
        (logins: 1, window: 1, generation: 1, after: 30, renews: true),
        (logins: 3, window: 3, generation: 3, after: 30, renews: true),
        // A straggler: the replay costs no login.
        (logins: 3, window: 3, generation: 2, after: 1, renews: true),
        // 0: no window.
        (logins: 9, window: 0, generation: 9, after: 1, renews: true),
    ])
    func aRefusalMayRenewWhileTheWindowLasts(
        logins: Int, window: Int, generation: UInt64, after: UInt64, renews: Bool
    ) throws {
        var machine = machine { ($0.windowLogins, $0.windowTime) = (window, s(30)) }
        for round in 0..<UInt64(logins) {
            let arrival =
                round == 0
                ? machine.exchangeArrived(1, now: s(10))
                : machine.credentialRejected(generation: round, 1, now: s(10))
            _ = machine.loginSucceeded(try #require(arrival.startLogin), grant("\(round)"), now: s(10), jitter: 0)
        }
        let now = s(10) + s(after)
        #expect(machine.mayRenew(afterRejectionOf: generation, now: now) == renews)
        // What is asked changes nothing: the credential serves on.
        #expect(machine.exchangeArrived(2, now: now).verdict.generation == UInt64(logins))
    }

    @Test func aRestoredCredentialServesUntilItIsRejected() throws {
        var machine = machine()
        let actions = machine.restored(grant("old", lifetime: s(1000)), now: 0, jitter: 0)
        #expect(actions.loginAt == s(820))
        #expect(machine.exchangeArrived(1, now: s(1)).verdict.generation == 1)
        #expect(machine.logins.started == 0)
        let flight = try unwrap(machine.credentialRejected(generation: 1, 2, now: s(2)).startLogin)
        _ = machine.loginSucceeded(flight, grant("new"), now: s(3), jitter: 0)
        #expect(machine.exchangeArrived(3, now: s(4)).verdict.generation == 2)
    }

    @Test func nothingIsRestoredOverALogin() throws {
        var machine = machine()
        let flight = try unwrap(machine.exchangeArrived(1, now: 0).startLogin)
        #expect(machine.restored(grant("old"), now: 0, jitter: 0).isEmpty)
        #expect(machine.loginSucceeded(flight, grant("new"), now: s(1), jitter: 0).released == [1])
        #expect(machine.restored(grant("old"), now: s(2), jitter: 0).isEmpty)
        #expect(machine.generation == 1)
        var fixed = SessionMachine(withoutLogin: grant("key"))
        #expect(fixed.restored(grant("old"), now: 0, jitter: 0).isEmpty && fixed.generation == 0)
    }

    @Test func whileALoginIsUnderWayARefusalMayAlwaysWaitForIt() throws {
        var machine = machine { ($0.windowLogins, $0.windowTime) = (2, s(30)) }
        let old = try logIn(&machine, now: s(1))
        _ = try unwrap(machine.credentialRejected(generation: old.generation, 2, now: s(2)).startLogin)
        #expect(machine.mayRenew(afterRejectionOf: old.generation, now: s(2)))
    }

    @Test func aSessionWithoutALoginIsAlwaysReady() {
        var machine = SessionMachine(withoutLogin: grant("key"))
        #expect(machine.exchangeArrived(1, now: 0).verdict.generation == 0)
        #expect(machine.credentialRejected(generation: 0, 1, now: 0).verdict.error?.kind == .loginRequired)
        #expect(machine.exchangeArrived(1, now: .max).verdict.generation == 0)
        #expect(machine.operatorReset(now: 1).isEmpty)
    }

    @Test func lateResultsAreIgnored() throws {
        var machine = machine()
        let flight = try unwrap(machine.exchangeArrived(1, now: s(1)).startLogin)
        #expect(machine.loginSucceeded(flight + 1, grant("x"), now: s(2), jitter: 0).isEmpty)
        #expect(machine.loginFailed(flight + 1, down, now: s(2), jitter: 0).isEmpty)
        _ = machine.loginSucceeded(flight, grant("a"), now: s(2), jitter: 0)
        #expect(machine.loginRefused(flight, wrong).isEmpty)
        #expect(machine.status(now: s(3)).state == .ready)
    }

    @Test func nothingPrintsACapture() throws {
        var machine = machine()
        let credential = try logIn(&machine, "s3cret")
        var dumped = ""
        dump(credential, to: &dumped)
        dump(grant("s3cret").captures, to: &dumped)
        dump(machine, to: &dumped)
        dumped += "\(credential) \(grant("s3cret")) \(credential.captures)"
        #expect(!dumped.contains("s3cret"))
    }
}

extension SessionMachine.Verdict {
    var deadline: UInt64? { if case .park(let deadline) = self { deadline } else { nil } }
    var generation: UInt64? { if case .proceed(let snapshot) = self { snapshot.generation } else { nil } }
    var error: GatewayError? { if case .failExchange(let error) = self { error } else { nil } }
}

extension SessionMachine.Action {
    var failedOne: UInt64? { if case .failExchange(let id, _) = self { id } else { nil } }
}

extension [SessionMachine.Action] {
    var released: [UInt64]? {
        for case .release(let ids, _) in self { return ids }
        return nil
    }
    var failed: (ids: [UInt64], error: GatewayError)? {
        for case .failAll(let ids, let error) in self { return (ids, error) }
        return nil
    }
    var startedLogin: UInt64? {
        for case .startLogin(let flight) in self { return flight }
        return nil
    }
    var cancelledLogin: UInt64? {
        for case .cancelLogin(let flight) in self { return flight }
        return nil
    }
    var loginAt: UInt64? {
        for case .scheduleLogin(let at) in self { return at }
        return nil
    }
}
