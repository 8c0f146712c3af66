import Testing

@testable import Domain

/// A session that was wanted and could not be had is tried again without anybody.
@Suite struct SessionRetryTests {
    private let down = GatewayError(.timeout, detail: "login: response")

    private func machine(_ change: (inout SessionLimits) -> Void = { _ in }) -> SessionMachine {
        var limits = SessionLimits()
        limits.windowLogins = 0
        change(&limits)
        return SessionMachine(limits: limits)
    }

    @Test func itTriesAgainWithGrowingPausesUntilItSucceeds() throws {
        var machine = machine()
        var flight = try unwrap(machine.exchangeArrived(1, now: 0).startLogin)
        var now: UInt64 = 0
        for pause in [1, 2, 4, 8, 16, 32, 60, 60].map({ s($0) }) {
            #expect(machine.loginFailed(flight, down, now: now, jitter: 0.5).loginAt == now + pause)
            #expect(machine.loginDue(now: now + pause - 1).loginAt == now + pause)
            now += pause
            #expect(machine.status(now: now).isUnavailable)
            flight = try unwrap(machine.loginDue(now: now).startedLogin)
            #expect(machine.status(now: now).state == .loggingIn && machine.status(now: now).isUnavailable)
            #expect(machine.loginDue(now: now).isEmpty)
        }
        #expect(machine.exchangeArrived(2, now: now).verdict.deadline != nil)
        #expect(machine.loginSucceeded(flight, grant("a"), now: now, jitter: 0).released == [2])
        #expect(machine.loginDue(now: now + s(1000)).isEmpty)
        #expect(machine.logins.started == 9 && machine.logins.failed == 8)
    }

    @Test func oneThatNobodyWantedIsLeftAlone() {
        var machine = machine()
        #expect(machine.loginDue(now: s(1000)).isEmpty)
        #expect(machine.logins.started == 0 && machine.status(now: s(1000)).state == .none)
    }

    @Test func aRefusalEndsTheTries() throws {
        var machine = machine()
        let flight = try unwrap(machine.exchangeArrived(1, now: 0).startLogin)
        _ = machine.loginFailed(flight, down, now: 0, jitter: 0.5)
        let again = try unwrap(machine.loginDue(now: s(1)).startedLogin)
        #expect(machine.loginRefused(again, GatewayError(.loginRefused, detail: "")).isEmpty)
        #expect(machine.loginDue(now: s(1000)).isEmpty)
        #expect(machine.status(now: s(1000)).state == .refused && machine.status(now: s(1000)).isUnavailable)
    }

    @Test func theTimeThatTheUpstreamToldIsKept() throws {
        var machine = machine()
        let flight = try unwrap(machine.exchangeArrived(1, now: 0).startLogin)
        #expect(machine.loginFailed(flight, down, wait: s(900), now: 0, jitter: 0.5).loginAt == s(900))
    }

    /// Whether the answer meant a wrong password, nobody knows: the next try has to be wanted, and readiness must not keep
    /// away who would want it.
    @Test func whatMayBeARefusalIsNotTriedAgain() throws {
        var machine = machine()
        let flight = try unwrap(machine.exchangeArrived(1, now: 0).startLogin)
        #expect(machine.loginFailed(flight, down, isDoubtful: true, now: 0, jitter: 0.5).loginAt == nil)
        #expect(machine.status(now: s(1) - 1).isUnavailable)
        #expect(machine.loginDue(now: s(1)).isEmpty)
        #expect(machine.status(now: s(1)).state == .backoff && !machine.status(now: s(1)).isUnavailable)
        #expect(machine.exchangeArrived(2, now: s(1)).startLogin != nil)
    }

    @Test func aPersonWhoWasAskedIsNotAskedAgain() throws {
        var machine = machine()
        let flight = try unwrap(machine.exchangeArrived(1, now: 0).startLogin)
        _ = machine.loginWaits(flight, GatewayError(.loginRequired, detail: "approve it"))
        #expect(machine.loginFailed(flight, down, now: 0, jitter: 0.5).isEmpty)
        #expect(machine.loginDue(now: s(1000)).isEmpty)
    }

    @Test func aFailedTakeoverWaitsForSomebodyWhoWantsIt() throws {
        var machine = machine()
        for now in [s(1), s(2)] {
            let id = now
            let flight = try unwrap(
                machine.flightUnderWay ?? machine.exchangeArrived(id, now: now).startLogin)
            _ = machine.loginSucceeded(flight, grant("\(now)"), now: now, jitter: 0)
            _ = machine.credentialTaken(
                generation: machine.generation, id, policy: .takeover(times: 1, per: s(60)), now: now)
        }
        #expect(machine.status(now: s(3)).state == .taken && machine.status(now: s(3)).isUnavailable)
        #expect(machine.loginDue(now: s(61)).isEmpty)
        #expect(!machine.status(now: s(61)).isUnavailable)
    }

    @Test func whoYieldedIsNotReadyUntilAnOperatorActs() throws {
        var machine = machine()
        let flight = try unwrap(machine.exchangeArrived(1, now: 0).startLogin)
        _ = machine.loginSucceeded(flight, grant("a"), now: 0, jitter: 0)
        _ = machine.credentialTaken(generation: 1, 2, policy: .yield, now: s(1))
        #expect(machine.status(now: s(1000)).state == .taken && machine.status(now: s(1000)).isUnavailable)
    }

    @Test func theAttemptsWindowHoldsForItToo() throws {
        var machine = machine { ($0.windowLogins, $0.windowTime) = (2, s(30)) }
        let flight = try unwrap(machine.exchangeArrived(1, now: 0).startLogin)
        _ = machine.loginFailed(flight, down, now: 0, jitter: 0.5)
        let again = try unwrap(machine.loginDue(now: s(1)).startedLogin)
        _ = machine.loginFailed(again, down, now: s(1), jitter: 0.5)
        #expect(machine.loginDue(now: s(3)).loginAt == s(30))
        #expect(machine.status(now: s(3)).retryAfter == s(27))
        #expect(machine.exchangeArrived(2, now: s(3)).verdict.error?.retryAfter == s(27))
        #expect(machine.loginDue(now: s(30)).startedLogin != nil)
    }

    @Test func whoMeetsAFullWindowIsHeardWhenItIsOver() throws {
        var machine = machine { ($0.windowLogins, $0.windowTime) = (1, s(30)) }
        let flight = try unwrap(machine.exchangeArrived(1, now: 0).startLogin)
        _ = machine.loginSucceeded(flight, grant("a", lifetime: s(10)), now: 0, jitter: 0)
        #expect(machine.exchangeArrived(2, now: s(11)).verdict.error?.retryAfter == s(19))
        #expect(machine.loginAt == s(30))
        #expect(machine.loginDue(now: s(30)).startedLogin != nil)
    }
}
