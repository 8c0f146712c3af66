import Testing

@testable import Domain

/// Health tells what an exchange would meet, also when none comes.
@Suite struct SessionStatusTests {
    private let down = GatewayError(.timeout, detail: "login: response")
    private let wrong = GatewayError(.loginRefused, detail: "login: refused")

    @Test func aCredentialThatEndedUnusedHidesNoRefusal() throws {
        var machine = SessionMachine(limits: SessionLimits())
        let flight = try unwrap(machine.exchangeArrived(1, now: 0).startLogin)
        _ = machine.loginSucceeded(flight, grant("a", lifetime: s(100)), now: 0, jitter: 0)
        let refresh = try unwrap(machine.loginDue(now: s(95)).startedLogin)
        _ = machine.loginRefused(refresh, wrong)
        #expect(machine.status(now: s(99)).state == .ready && !machine.status(now: s(99)).isUnavailable)
        // Nobody came since: what somebody would meet counts.
        #expect(machine.status(now: s(100)).state == .refused && machine.status(now: s(100)).isUnavailable)
        _ = machine.operatorReset(now: s(101))
        #expect(machine.status(now: s(101)).state == .loggingIn && !machine.status(now: s(101)).isUnavailable)
    }

    @Test func aCredentialThatEndedUnusedHidesNoFailure() throws {
        var machine = SessionMachine(limits: SessionLimits())
        let flight = try unwrap(machine.exchangeArrived(1, now: 0).startLogin)
        _ = machine.loginSucceeded(flight, grant("a", lifetime: s(100)), now: 0, jitter: 0)
        let refresh = try unwrap(machine.loginDue(now: s(95)).startedLogin)
        _ = machine.loginFailed(refresh, down, now: s(99), jitter: 0.5)
        #expect(machine.status(now: s(99)).state == .ready)
        let after = machine.status(now: s(99) + s(1) / 2)
        #expect(after.state == .ready && !after.isUnavailable)
        let again = try unwrap(machine.loginDue(now: s(100)).startedLogin)
        // The try that runs changes nothing yet.
        #expect(machine.status(now: s(101)).state == .loggingIn && machine.status(now: s(101)).isUnavailable)
        _ = machine.loginFailed(again, down, now: s(101), jitter: 0.5)
        #expect(machine.status(now: s(102)).state == .backoff && machine.status(now: s(102)).isUnavailable)
        #expect(machine.status(now: s(102)).retryAfter == s(1))
    }

    @Test func aCredentialThatEndedUnusedIsNoneWhereNothingSpeaksAgainstALogin() throws {
        var machine = SessionMachine(limits: SessionLimits())
        let flight = try unwrap(machine.exchangeArrived(1, now: s(1)).startLogin)
        _ = machine.loginSucceeded(flight, grant("a", lifetime: s(100), wallExpiry: 5_100), now: s(1), jitter: 0)
        #expect(machine.status(now: s(50), wall: 5_050).state == .ready)
        // The machine slept: the monotonic clock stood still.
        #expect(machine.status(now: s(50), wall: 5_101).state == .none)
        #expect(machine.status(now: s(101)).state == .none && !machine.status(now: s(101)).isUnavailable)
    }
}
