import Testing

@testable import Domain

/// What a renewal brought, and whether the upstream took it, decides about the next one.
@Suite struct SessionRenewalTests {
    private func ready(_ token: String, _ limits: SessionLimits = SessionLimits()) throws -> SessionMachine {
        var machine = SessionMachine(limits: limits)
        let flight = try unwrap(machine.exchangeArrived(1_000_000, now: s(1)).startLogin)
        _ = machine.loginSucceeded(flight, grant(token), now: s(1), jitter: 0.5)
        return machine
    }

    /// The current credential is refused, and renewed.
    private func renew(
        _ machine: inout SessionMachine, _ token: String, byRefresh: Bool = false, now: UInt64
    ) throws -> [SessionMachine.Action] {
        let flight = try unwrap(machine.credentialRejected(generation: machine.generation, 7, now: now).startLogin)
        return machine.loginSucceeded(flight, grant(token), byRefresh: byRefresh, now: now, jitter: 0.5)
    }

    // MARK: The same credential again

    @Test(arguments: [true, false]) func theSameCredentialServesOnAndIsRefusedToItsCallerAlone(byRefresh: Bool) throws {
        var machine = try ready("fixed")
        machine.credentialServed(generation: 1)
        #expect(try renew(&machine, "fixed", byRefresh: byRefresh, now: s(100)).released == [7])
        // The replay is refused as well: no other renewal, and nobody else suffers.
        #expect(machine.objection(toRenewalAfter: 2, now: s(100)) == .sameCredential)
        #expect(machine.exchangeArrived(8, now: s(100)).verdict.generation == 2)
        #expect(machine.status(now: s(100)).state == .ready && !machine.status(now: s(100)).isUnavailable)
        #expect(machine.status(now: s(100)).lastError?.kind == .loginUnavailable)
        machine.credentialServed(generation: 2)
        #expect(machine.status(now: s(100)).lastError == nil)
        #expect(machine.objection(toRenewalAfter: 2, now: s(100)) == nil)
        #expect(machine.logins.failed == 0)
    }

    @Test func oneThatDoesNotServeIsRenewedAtGrowingPauses() throws {
        var machine = try ready("fixed")
        var now = s(100)
        for pause in [1, 2, 4, 8, 16, 32, 60, 60].map({ s($0) }) {
            #expect(try renew(&machine, "fixed", now: now).released == [7])
            // A late answer to the credential before says nothing about this one.
            machine.credentialServed(generation: machine.generation - 1)
            let generation = machine.generation
            #expect(machine.objection(toRenewalAfter: generation, now: now + pause - 1) == .sameCredential)
            now += pause
            #expect(machine.objection(toRenewalAfter: generation, now: now) == nil)
        }
        machine.credentialServed(generation: machine.generation)
        _ = try renew(&machine, "fixed", now: now)
        #expect(machine.objection(toRenewalAfter: machine.generation, now: now + s(1)) == nil)
    }

    @Test func anotherCredentialEndsThePauses() throws {
        var machine = try ready("fixed")
        _ = try renew(&machine, "fixed", now: s(100))
        _ = try renew(&machine, "other", now: s(200))
        #expect(machine.objection(toRenewalAfter: machine.generation, now: s(200)) == nil)
        #expect(machine.status(now: s(200)).lastError == nil)
    }

    @Test func whatCannotBeSentAtAllBacksOff() throws {
        var machine = try ready("fixed")
        _ = try renew(&machine, "fixed", now: s(100))
        let arrival = machine.credentialRejected(generation: 2, 9, now: s(100))
        #expect(arrival.startLogin == nil && arrival.verdict.error?.kind == .loginUnavailable)
    }

    @Test func aFileThatStillHoldsItRevivesNothing() throws {
        var machine = SessionMachine(limits: SessionLimits(), revives: false)
        let flight = try unwrap(machine.exchangeArrived(1, now: s(1)).startLogin)
        _ = machine.loginSucceeded(flight, grant("fixed"), now: s(1), jitter: 0)
        machine.credentialServed(generation: 1)
        let failed = try #require(try renew(&machine, "fixed", now: s(100)).failed)
        #expect(failed.ids == [7] && failed.error.kind == .loginUnavailable)
        #expect(machine.status(now: s(100)).state == .backoff && machine.generation == 1)
    }

    // MARK: The full login

    @Test(arguments: [
        // A refresh that nobody took.
        (byRefresh: true, serves: false, wants: true), (byRefresh: true, serves: true, wants: false),
        (byRefresh: false, serves: false, wants: false),
    ])
    func whatWasRefusedBeforeItServed(byRefresh: Bool, serves: Bool, wants: Bool) throws {
        var machine = try ready("a")
        machine.credentialServed(generation: 1)
        _ = try renew(&machine, "b", byRefresh: byRefresh, now: s(10))
        if serves { machine.credentialServed(generation: 2) }
        let flight = try unwrap(machine.credentialRejected(generation: 2, 8, now: s(11)).startLogin)
        #expect(machine.wantsLogin == wants)
        // It stays so until one succeeds.
        _ = machine.loginFailed(flight, GatewayError(.timeout, detail: ""), now: s(12), jitter: 0)
        #expect(machine.wantsLogin == wants)
        let again = try unwrap(machine.loginDue(now: s(20)).startedLogin)
        _ = machine.loginSucceeded(again, grant("c"), now: s(20), jitter: 0)
        #expect(!machine.wantsLogin)
    }

    @Test func whoTakesASessionBackLogsIn() throws {
        var machine = try ready("a")
        machine.credentialServed(generation: 1)
        let policy = TakenPlan.Policy.takeover(times: 2, per: s(60))
        #expect(machine.credentialTaken(generation: 1, 2, policy: policy, now: s(2)).startLogin != nil)
        #expect(machine.wantsLogin)
    }

    @Test func aStragglerWantsNothing() throws {
        var machine = try ready("a")
        _ = try renew(&machine, "b", byRefresh: true, now: s(10))
        _ = machine.credentialRejected(generation: 1, 8, now: s(11))
        #expect(!machine.wantsLogin && machine.status(now: s(11)).state == .ready)
    }
}
