import Expressions
import Testing

@testable import Domain

/// What ordinary answers tell about the credential: that it serves, and what comes next.
@Suite struct CredentialUpdateTests {
    private func ready(_ token: String = "login", lifetime: UInt64? = nil) throws -> SessionMachine {
        var machine = SessionMachine(limits: SessionLimits())
        let flight = try unwrap(machine.exchangeArrived(1_000_000, now: s(1)).startLogin)
        _ = machine.loginSucceeded(flight, grant(token, lifetime: lifetime), now: s(1), jitter: 0)
        return machine
    }

    private func update(_ token: String, end: UInt64? = nil) -> CredentialUpdate {
        CredentialUpdate(
            changes: [CredentialUpdate.Change(slot: 0, value: .string(bytes(token)))],
            end: end.map { CredentialUpdate.End(lifetime: s($0), wallExpiry: 5000) })
    }

    private func token(_ machine: SessionMachine) throws -> String {
        let snapshot = try #require(machine.credential(now: s(3)))
        return text(Array(try #require(snapshot.captures[0].value.contents)))
    }

    @discardableResult
    private func take(
        _ machine: inout SessionMachine, _ update: CredentialUpdate, under generation: UInt64, order: UInt64
    ) -> [SessionMachine.Action] {
        machine.credentialUpdated(update, sentUnder: generation, order: order, now: s(2), jitter: 0)
    }

    @Test func aChangedValueIsANewGeneration() throws {
        var machine = try ready()
        take(&machine, update("a"), under: 1, order: 1)
        #expect(try token(machine) == "a" && machine.generation == 2)
        take(&machine, update("a"), under: 2, order: 2)
        #expect(machine.generation == 2)
        // A refusal of the one before is a straggler's.
        let late = machine.credentialRejected(generation: 1, 7, now: s(3))
        #expect(late.startLogin == nil && late.verdict.generation == 2)
    }

    @Test func theAnswerToTheLaterRequestStays() throws {
        var machine = try ready()
        take(&machine, update("newer"), under: 1, order: 2)
        take(&machine, update("older"), under: 1, order: 1)
        #expect(try token(machine) == "newer" && machine.generation == 2)
    }

    @Test func aLaterRequestThatBringsTheSameHoldsTheOlderBack() throws {
        var machine = try ready("same")
        take(&machine, update("same"), under: 1, order: 2)
        take(&machine, update("older"), under: 1, order: 1)
        #expect(try token(machine) == "same" && machine.generation == 1)
    }

    @Test func aLoginCutsOffWhatWasSentBeforeIt() throws {
        var machine = try ready()
        take(&machine, update("a"), under: 1, order: 9)
        let flight = try unwrap(machine.credentialRejected(generation: 2, 7, now: s(2)).startLogin)
        take(&machine, update("late"), under: 2, order: 10)
        #expect(machine.credential(now: s(3)) == nil)
        _ = machine.loginSucceeded(flight, grant("second"), now: s(2), jitter: 0)
        take(&machine, update("late"), under: 2, order: 10)
        #expect(try token(machine) == "second")
        // The orders begin anew with the login.
        take(&machine, update("next"), under: 3, order: 3)
        #expect(try token(machine) == "next")
    }

    @Test func aRefreshGoesOnOverAnUpdate() throws {
        var machine = try ready()
        let flight = try #require(machine.operatorReset(now: s(2)).isEmpty ? nil : machine.flightUnderWay)
        take(&machine, update("a"), under: 1, order: 1)
        #expect(try token(machine) == "a" && machine.flightUnderWay == flight)
        _ = machine.loginSucceeded(flight, grant("b"), now: s(2), jitter: 0)
        #expect(try token(machine) == "b" && machine.generation == 3)
    }

    @Test func theEndMovesTheRefresh() throws {
        var machine = try ready(lifetime: s(100))
        #expect(take(&machine, update("a", end: 1000), under: 1, order: 2).loginAt == s(822))
        #expect(machine.credential(now: s(500)) != nil)
        #expect(take(&machine, update("a", end: 10), under: 2, order: 1).isEmpty)
        #expect(machine.credential(now: s(500)) != nil)
        // Without an end of its own the old one stays.
        take(&machine, update("b"), under: 2, order: 3)
        #expect(machine.credential(now: s(1001)) != nil && machine.credential(now: s(1002)) == nil)
    }

    @Test func anEndAloneIsNoNewGeneration() throws {
        var machine = try ready(lifetime: s(100))
        let end = CredentialUpdate(changes: [], end: CredentialUpdate.End(lifetime: s(1000), wallExpiry: 5000))
        take(&machine, end, under: 1, order: 1)
        #expect(machine.generation == 1 && machine.credential(now: s(500)) != nil)
    }

    // MARK: Which captures an answer brings

    private func plan(_ captures: [(String, String)]) throws -> UpdatePlan {
        let names = ["token", "expires_in", "expires_at"]
        let scope = Scopes(secretNames: []).response(captures: names)
        return UpdatePlan(
            captures: try captures.map { name, source in
                LoginStep.Capture(
                    slot: try #require(names.firstIndex(of: name)), value: try Expression(parsing: source, in: scope))
            }, names: names)
    }

    private func evaluate(
        _ plan: UpdatePlan, _ header: [(String, String)] = [], body: String? = ""
    ) throws -> CredentialUpdate? {
        let scope = ExchangeScope(
            request: LoginRun.emptyDraft, now: (0, 0), surroundings: Surroundings(secrets: [], device: []))
        let view = ResponseView(
            awaiting: UpstreamHead(status: 200, fields: fields(header), contentLength: nil), to: scope.request)
        if let body { view.receive(bytes(body)) }
        scope.response = view
        return try plan.evaluate(scope, wall: 1000)
    }

    @Test func whatIsNotThereBringsNothing() throws {
        let header = try plan([("token", "headers[\"x-next\"]")])
        #expect(try evaluate(header, body: nil) == nil)
        #expect(try evaluate(header, [("X-Next", "")], body: nil) == nil)
        #expect(try evaluate(header, [("X-Next", "a")], body: nil)?.changes.count == 1)
        let body = try plan([("token", "json.next")])
        #expect(try evaluate(body, body: "{\"next\":null}") == nil)
        #expect(try evaluate(body, body: "{\"next\":\"a\"}")?.changes.count == 1)
        #expect(throws: Undecided.self) { try evaluate(body, body: nil) }
    }

    @Test func anEndGoesWithItsToken() throws {
        let both = try plan([("token", "headers[\"x-next\"]"), ("expires_in", "\"60\"")])
        #expect(try evaluate(both) == nil)
        #expect(try evaluate(both, [("X-Next", "a")])?.end == CredentialUpdate.End(lifetime: s(60), wallExpiry: 1060))
        let alone = try plan([("expires_in", "\"60\"")])
        #expect(try evaluate(alone)?.end?.wallExpiry == 1060)
    }

    @Test func anEndInThePastIsReported() throws {
        let both = try plan([("token", "headers[\"x-next\"]"), ("expires_at", "900")])
        let brought = try #require(try evaluate(both, [("X-Next", "a")]))
        #expect(brought.end == nil && brought.expiryProblem?.contains("100 s ago") == true)
        let scope = ExchangeScope(
            request: LoginRun.emptyDraft, now: (0, 0), surroundings: Surroundings(secrets: [], device: []))
        scope.response = ResponseView(status: 200, fields: fields([("X-Next", "a")]), body: [])
        // Their clock is 300 s behind ours.
        let end = try both.evaluate(scope, wall: 1000, ahead: -300)?.end
        #expect(end == CredentialUpdate.End(lifetime: s(200), wallExpiry: 1200))
    }

    @Test func aToldWaitIsHonoured() throws {
        var machine = try ready()
        let flight = try unwrap(machine.credentialRejected(generation: 1, 7, now: s(2)).startLogin)
        let error = GatewayError(.loginUnavailable, detail: "locked")
        #expect(machine.loginFailed(flight, error, wait: s(900), now: s(2), jitter: 0).failed?.ids == [7])
        #expect(machine.status(now: s(2)).retryAfter == s(900))
        #expect(machine.exchangeArrived(8, now: s(901)).startLogin == nil)
        #expect(machine.exchangeArrived(8, now: s(902)).startLogin != nil)
    }
}
