/// Events of exchanges.
extension SessionMachine {
    /// An exchange wants a credential. `wall` (unix seconds) lets an expiry be seen after a suspend.
    package mutating func exchangeArrived(_ id: ExchangeID, now: UInt64, wall: Int64? = nil) -> Arrival {
        switch state {
        case .ready(let snapshot):
            if !hasLogin || !snapshot.isExpired(now: now, wall: wall) {
                // Timers are late after a suspend, so the refresh is also set off by use.
                let isDue = loginAt.map { now >= $0 } ?? false
                return Arrival(verdict: .proceed(snapshot), startLogin: isDue ? refresh(snapshot, now: now) : nil)
            }
            state = .vacant
            return awaitLogin(id, now: now)
        case .refreshing(let snapshot, let flight):
            if !snapshot.isExpired(now: now, wall: wall) { return Arrival(verdict: .proceed(snapshot)) }
            state = .loggingIn(flight)
            return awaitLogin(id, now: now)
        case .vacant, .loggingIn, .backingOff, .refused:
            return awaitLogin(id, now: now)
        }
    }

    /// The upstream refused the credential of this generation (the expiry test said so). The verdict is about the
    /// replay: proceed with the newer credential, wait for it, or fail with the cause.
    package mutating func credentialRejected(
        generation rejectedGeneration: UInt64, _ id: ExchangeID, now: UInt64, wall: Int64? = nil
    ) -> Arrival {
        guard hasLogin else {
            // Nothing could gain another: the driver passes the upstream's own answer instead of asking.
            let error = GatewayError(.loginRequired, detail: "the upstream refused a credential that has no login")
            return Arrival(verdict: .failExchange(error))
        }
        switch state {
        case .ready(let snapshot) where snapshot.generation == rejectedGeneration:
            rejected = snapshot.fingerprint
            loginAt = nil
            state = .vacant
        case .refreshing(let snapshot, let flight) where snapshot.generation == rejectedGeneration:
            rejected = snapshot.fingerprint
            state = .loggingIn(flight)
        case .ready, .refreshing, .vacant, .loggingIn, .backingOff, .refused:
            // A straggler: the credential it speaks of is gone already (facts/dialects 3.3.1).
            break
        }
        return exchangeArrived(id, now: now, wall: wall)
    }

    /// Whether a rejection of this generation may lead to a login. Not when it is the current one and the attempts window is
    /// used up: where a plain refusal looks like an expiry (403 of a forbidden call), one caller would take the session
    /// away from all the others. The credential stays, and the upstream's own answer is passed on.
    package func mayRenew(afterRejectionOf generation: UInt64, now: UInt64) -> Bool {
        guard case .ready(let snapshot) = state, snapshot.generation == generation else { return true }
        return window.nextFree(now: now, limits: limits) == nil
    }

    /// The wait of a parked exchange is over. No action when it was answered meanwhile. The flight goes on.
    package mutating func waiterExpired(_ id: ExchangeID) -> Action? {
        guard waitlist.remove(id) else { return nil }
        return .failExchange(
            id, GatewayError(.sessionPending, detail: "the login did not end within the longest wait"))
    }

    /// The client of a parked exchange went away. The flight goes on: the next one needs it too.
    package mutating func waiterLeft(_ id: ExchangeID) { _ = waitlist.remove(id) }

    /// No credential serves: wait for the flight, start it, or fail with what is remembered.
    private mutating func awaitLogin(_ id: ExchangeID, now: UInt64) -> Arrival {
        switch state {
        case .loggingIn(let flight):
            if let awaited, awaited.flight == flight { return Arrival(verdict: .failExchange(awaited.cause)) }
            return park(id, now: now, startLogin: nil)
        case .refused(let cause):
            return Arrival(verdict: .failExchange(cause))
        case .backingOff(let until, let cause) where now < until:
            return Arrival(verdict: .failExchange(cause.withRetryAfter(until - now)))
        case .vacant, .backingOff, .ready, .refreshing:
            if let error = blockLogin(now: now) { return Arrival(verdict: .failExchange(error)) }
            let flight = startFlight(now: now)
            state = .loggingIn(flight)
            return park(id, now: now, startLogin: flight)
        }
    }

    private mutating func park(_ id: ExchangeID, now: UInt64, startLogin flight: Flight?) -> Arrival {
        guard waitlist.count < limits.waiting else {
            let error = GatewayError(
                .sessionPending, detail: "\(limits.waiting) requests wait for the login already",
                retryAfter: 1_000_000_000)
            return Arrival(verdict: .failExchange(error), startLogin: flight)
        }
        waitlist.append(id)
        return Arrival(verdict: .park(deadline: now.addingSaturated(limits.waitTime)), startLogin: flight)
    }
}
