/// Whether one upstream can be reached, inferred from outcomes: Linux tells a process on loopback nothing better
/// (facts/dialects 5). While it cannot, exchanges are answered at once, and one trial at a time looks for its return.
///
/// Any HTTP answer proves reachability, 401 and 503 included (peers 89). What speaks against it: see
/// `ReachabilityEvidence`.
package struct ReachabilityMachine: Sendable {
    enum State {
        /// Exchanges go. `failures` in a row so far. Next: `open`.
        case closed(failures: Int)
        /// Exchanges are refused until the time; `trips` = openings without a success between. Next: `halfOpen` (the
        /// time came and somebody asked), `closed` (a straggler succeeded).
        case open(until: UInt64, trips: Int)
        /// One trial is out, all others are refused. Next: `closed`, `open` (failed, or given up).
        case halfOpen(trips: Int)
    }

    /// Leave to send, handed back with the outcome. The epoch grows with each opening: a failure of a transfer that began
    /// before it is old news (30 s time-outs that trickle in after the recovery must not open the breaker again).
    package struct Ticket: Sendable, Equatable {
        let epoch: UInt64
        /// The half-open trial: exactly one outcome must be reported, or nobody else ever tries.
        package let isTrial: Bool
    }

    package enum Admission: Sendable, Equatable {
        case go(Ticket)
        /// The answer is `offline`; nanoseconds until the next trial in `retryAfter`.
        case refuse(GatewayError)
    }

    /// What changed, for events and logs.
    package enum Change: Sendable, Equatable {
        /// The breaker opened, or a trial failed: run a probe as the trial at this time (monotonic).
        case wentDown(trialAt: UInt64)
        case stillDown(trialAt: UInt64)
        /// The breaker closed.
        case cameUp
    }

    package internal(set) var plan: ReachabilityPlan
    var state: State = .closed(failures: 0)
    var epoch: UInt64 = 0
    /// A success was seen since the start or since the last opening.
    var isProven = false
    package internal(set) var lastFailure: TransferFailure?
    package internal(set) var failuresByKind: [TransferFailure.Kind: UInt64] = [:]

    package init(plan: ReachabilityPlan) { self.plan = plan }

    /// May a transfer (or a probe) start?
    package mutating func admit(now: UInt64) -> Admission {
        switch state {
        case .closed:
            return .go(Ticket(epoch: epoch, isTrial: false))
        case .open(let until, let trips):
            if now < until { return .refuse(offline(retryAfter: until - now)) }
            state = .halfOpen(trips: trips)
            return .go(Ticket(epoch: epoch, isTrial: true))
        case .halfOpen:
            return .refuse(offline(retryAfter: plan.wait))
        }
    }

    /// The head of an answer arrived, whatever its status. Report it at the head, not at the end: a long download would
    /// hold up the trial; afterwards nothing of this transfer needs to be reported.
    package mutating func transferSucceeded(_ ticket: Ticket) -> Change? {
        isProven = true
        switch state {
        case .closed:
            state = .closed(failures: 0)
            return nil
        case .open, .halfOpen:
            // A straggler from before the opening proves it as well as the trial does.
            state = .closed(failures: 0)
            epoch += 1
            return .cameUp
        }
    }

    /// The transfer failed before the head of an answer.
    package mutating func transferFailed(
        _ ticket: Ticket, _ failure: TransferFailure, now: UInt64, jitter: Double
    ) -> Change? {
        failuresByKind[failure.kind, default: 0] += 1
        switch ReachabilityEvidence(failure) {
        case .reachable: return transferSucceeded(ticket)
        case .none: return transferEnded(ticket, now: now)
        case .unreachable: break
        }
        guard ticket.epoch == epoch else { return nil }
        switch state {
        case .closed(let failures):
            lastFailure = failure
            if !plan.opens || failures + 1 < Swift.max(plan.failures, 1) {
                // Saturates: an upstream may be away for years.
                state = .closed(failures: Swift.min(failures + 1, 1_000_000))
                if !plan.opens { isProven = false }
                return nil
            }
            epoch += 1
            isProven = false
            return .wentDown(trialAt: open(trips: 1, now: now, jitter: jitter))
        case .halfOpen(let trips) where ticket.isTrial:
            lastFailure = failure
            return .stillDown(trialAt: open(trips: Swift.min(trips + 1, 1_000), now: now, jitter: jitter))
        case .open, .halfOpen:
            return nil
        }
    }

    /// The transfer ended without evidence (the client left, the body failed). A trial that ends so makes room for
    /// another at once.
    package mutating func transferEnded(_ ticket: Ticket, now: UInt64) -> Change? {
        guard ticket.isTrial, ticket.epoch == epoch, case .halfOpen(let trips) = state else { return nil }
        state = .open(until: now, trips: trips)
        return .stillDown(trialAt: now)
    }

    /// A reload: the state stays, the numbers change. A breaker that is switched off is closed.
    package mutating func planChanged(_ plan: ReachabilityPlan) {
        self.plan = plan
        if !plan.opens { state = .closed(failures: 0) }
    }

    private mutating func open(trips: Int, now: UInt64, jitter: Double) -> UInt64 {
        let pause = Backoff(min: plan.wait, max: plan.waitMax).delay(failures: trips, jitter: jitter)
        let until = now.addingSaturated(pause)
        state = .open(until: until, trips: trips)
        return until
    }

    private func offline(retryAfter: UInt64) -> GatewayError {
        // The kind is always `offline`, as the client's text should be; the detail keeps the true cause.
        let cause = lastFailure.map { GatewayError($0).detail } ?? "unreachable"
        return GatewayError(.offline, detail: cause, retry: .safe, retryAfter: retryAfter)
    }
}
