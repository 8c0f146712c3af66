/// Logins that wait for a person, and persons who take a session away.
extension SessionMachine {
    /// The flight goes on but waits for somebody: whoever is parked is told what to do, and so is everybody who comes
    /// until it ends.
    package mutating func loginWaits(_ flight: Flight, _ cause: GatewayError) -> [Action] {
        guard flightUnderWay == flight else { return [] }
        awaited = (flight, cause)
        lastError = cause
        // Refreshing: the old credential serves on.
        guard case .loggingIn = state else { return [] }
        let waiting = waitlist.removeAll()
        return waiting.isEmpty ? [] : [.failAll(waiting, cause)]
    }

    /// The person has done it: whoever comes now waits for the end of the flight.
    package mutating func personActed(_ flight: Flight) {
        guard awaited?.flight == flight else { return }
        (awaited, lastError) = (nil, nil)
    }

    /// The upstream said that a login elsewhere ended the session. `jitter` is not needed: the bound is a count.
    package mutating func credentialTaken(
        generation taken: UInt64, _ id: ExchangeID, policy: TakenPlan.Policy, now: UInt64, wall: Int64? = nil
    ) -> Arrival {
        guard case .ready(let snapshot) = state, snapshot.generation == taken, hasLogin else {
            // A straggler, or a refresh is under way already.
            return credentialRejected(generation: taken, id, now: now, wall: wall)
        }
        switch policy {
        case .yield:
            let error = GatewayError(
                .sessionTaken, detail: "a login elsewhere ended the session; an operator's login takes it back")
            (refusal, lastError, loginAt) = (error, error, nil)
            state = .refused(error)
            return Arrival(verdict: .failExchange(error))
        case .takeover(let times, let per):
            var limits = SessionLimits()
            (limits.windowLogins, limits.windowTime) = (times, per)
            guard let free = takeovers.nextFree(now: now, limits: limits) else {
                takeovers.add(now, limit: times)
                return credentialRejected(generation: taken, id, now: now, wall: wall)
            }
            let error = GatewayError(
                .sessionTaken, detail: "taken over \(times) times already; somebody else uses the account",
                retryAfter: free.subtractingSaturated(now))
            (lastError, loginAt, notBefore) = (error, nil, free)
            state = .backingOff(until: free, cause: error)
            return Arrival(verdict: .failExchange(error))
        }
    }
}
