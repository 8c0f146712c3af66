import Testing

@testable import Domain

/// Random events in random order; a model beside the machine checks what must hold whatever comes.
@Suite struct SessionPropertyTests {
    @Test(arguments: 0..<60 as Range<UInt64>) func invariantsHold(_ seed: UInt64) {
        var model = Model(seed: seed)
        for _ in 0..<600 { model.step() }
        model.finish()
        #expect(model.problems.isEmpty, "seed \(seed): \(model.problems.prefix(3))")
    }

    private struct Model {
        var random: SeededGenerator
        var machine: SessionMachine
        var limits = SessionLimits()
        var now: UInt64 = s(1)
        var nextID: UInt64 = 0
        /// Parked and not answered yet.
        var parked: Set<UInt64> = []
        var flights: Set<UInt64> = []
        /// Every generation that was handed out to somebody.
        var seen: [UInt64] = []
        var highest: UInt64 = 0
        var isRefused = false
        var problems: [String] = []

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            limits.waiting = 8
            limits.windowLogins = seed % 3 == 0 ? 0 : 5
            machine = SessionMachine(limits: limits)
        }

        mutating func step() {
            now += UInt64.random(in: 0...s(3), using: &random)
            switch Int.random(in: 0..<26, using: &random) {
            case 0..<6: arrive()
            case 6..<9: reject()
            case 9..<12: succeed()
            case 12..<14: fail()
            case 14: refuse()
            case 15: if let id = parked.randomElement(using: &random) { expire(id) }
            case 16:
                if let id = parked.randomElement(using: &random) {
                    machine.waiterLeft(id)
                    parked.remove(id)
                }
            case 17: run(machine.loginDue(now: now))
            case 18:
                isRefused = false
                run(machine.operatorReset(now: now))
            case 19:
                if let flight = flights.first {
                    run(machine.loginWaits(flight, GatewayError(.loginRequired, detail: "")))
                    if !parked.isEmpty, machine.status(now: now).state != .ready {
                        problems.append("parked for a person")
                    }
                }
            case 20..<22: takeAway()
            case 22..<24: update()
            case 24: machine.credentialServed(generation: seen.last ?? 0)
            default:
                run(machine.planChanged(limits, now: now, jitter: 0.5))
            }
            check()
        }

        /// Whoever still waits when the last flight ends is answered.
        mutating func finish() {
            if let flight = flights.first {
                flights.remove(flight)
                run(machine.loginSucceeded(flight, grant("last"), now: now, jitter: 0))
            }
            if !parked.isEmpty, machine.flightUnderWay == nil { problems.append("waiters without a flight") }
        }

        private mutating func check() {
            if flights.count > 1 { problems.append("\(flights.count) flights") }
            if machine.flightUnderWay.map({ [$0] }) ?? [] != flights { problems.append("flight lost") }
            if machine.generation < highest { problems.append("generation fell") }
            highest = Swift.max(highest, machine.generation)
            if parked.count > limits.waiting { problems.append("too many wait") }
            if parked.count != machine.status(now: now).waiting { problems.append("waiters differ") }
            if !parked.isEmpty, flights.isEmpty { problems.append("somebody waits for nothing") }
        }

        private mutating func arrive() {
            nextID += 1
            take(nextID, machine.exchangeArrived(nextID, now: now))
        }

        private mutating func reject() {
            guard let generation = seen.suffix(3).randomElement(using: &random) else { return arrive() }
            nextID += 1
            let arrival = machine.credentialRejected(generation: generation, nextID, now: now)
            if arrival.verdict.generation == generation { problems.append("replay with the rejected credential") }
            take(nextID, arrival)
        }

        private mutating func takeAway() {
            guard let generation = seen.suffix(3).randomElement(using: &random) else { return arrive() }
            nextID += 1
            let policy: TakenPlan.Policy =
                Int.random(in: 0..<4, using: &random) == 0 ? .yield : .takeover(times: 2, per: s(10))
            let arrival = machine.credentialTaken(generation: generation, nextID, policy: policy, now: now)
            if arrival.verdict.generation == generation { problems.append("replay with the credential that was taken") }
            if policy == .yield, arrival.verdict.error?.kind == .sessionTaken { isRefused = machine.refusal != nil }
            take(nextID, arrival)
        }

        private mutating func update() {
            guard let generation = seen.suffix(3).randomElement(using: &random) else { return }
            let before = machine.flightUnderWay
            let change = CredentialUpdate.Change(slot: 0, value: .int(Int64.random(in: 0..<3, using: &random)))
            let end = Bool.random(using: &random) ? CredentialUpdate.End(lifetime: s(9), wallExpiry: 9) : nil
            let order = UInt64.random(in: 1...50, using: &random)
            run(
                machine.credentialUpdated(
                    CredentialUpdate(changes: [change], end: end), sentUnder: generation, order: order, now: now,
                    jitter: 0.1))
            if machine.flightUnderWay != before { problems.append("an update touched the flight") }
        }

        private mutating func take(_ id: UInt64, _ arrival: SessionMachine.Arrival) {
            switch arrival.verdict {
            case .proceed(let snapshot):
                if snapshot.generation < (seen.max() ?? 0) { problems.append("older credential handed out") }
                if snapshot.isExpired(now: now, wall: nil) { problems.append("expired credential handed out") }
                seen.append(snapshot.generation)
            case .park(let deadline):
                if deadline != now + limits.waitTime { problems.append("deadline") }
                parked.insert(id)
            case .failExchange: break
            }
            if let flight = arrival.startLogin { started(flight) }
        }

        private mutating func started(_ flight: UInt64) {
            if isRefused { problems.append("login after a refusal") }
            flights.insert(flight)
        }

        private mutating func succeed() {
            guard let flight = flights.first else { return }
            flights.remove(flight)
            let lifetime = Bool.random(using: &random) ? UInt64.random(in: s(1)...s(20), using: &random) : nil
            let token = Int.random(in: 0..<4, using: &random)
            run(machine.loginSucceeded(flight, grant("\(token)", lifetime: lifetime), now: now, jitter: 0.3))
        }

        private mutating func fail() {
            guard let flight = flights.first else { return }
            flights.remove(flight)
            let isAsked = machine.awaited?.flight == flight
            let isDoubtful = Bool.random(using: &random)
            run(
                machine.loginFailed(
                    flight, GatewayError(.timeout, detail: ""), isDoubtful: isDoubtful, now: now, jitter: 0.9))
            if (machine.loginAt == nil) != (isDoubtful || isAsked) { problems.append("the next try by itself") }
        }

        private mutating func refuse() {
            guard let flight = flights.first else { return }
            flights.remove(flight)
            isRefused = true
            run(machine.loginRefused(flight, GatewayError(.loginRefused, detail: "")))
        }

        private mutating func expire(_ id: UInt64) {
            if machine.waiterExpired(id)?.failedOne != id { problems.append("deadline not honoured") }
            parked.remove(id)
        }

        private mutating func run(_ actions: [SessionMachine.Action]) {
            for action in actions {
                switch action {
                case .startLogin(let flight): started(flight)
                case .cancelLogin(let flight): flights.remove(flight)
                case .release(let ids, let snapshot):
                    seen.append(snapshot.generation)
                    answered(ids)
                case .failAll(let ids, _): answered(ids)
                case .failExchange(let id, _): answered([id])
                case .scheduleLogin(let at): if at == 0 { problems.append("login at 0") }
                }
            }
        }

        private mutating func answered(_ ids: [UInt64]) {
            for id in ids where parked.remove(id) == nil { problems.append("\(id) answered twice") }
        }
    }
}
