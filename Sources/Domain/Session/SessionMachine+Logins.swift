/// Events of logins, and when one may start.
extension SessionMachine {
    /// The flight brought a credential. `jitter` (uniform in `0..<1`) spreads the refresh.
    package mutating func loginSucceeded(
        _ flight: Flight, _ grant: CredentialGrant, now: UInt64, jitter: Double
    ) -> [Action] {
        guard isCurrent(flight) else { return [] }
        let isSame = !rejected.isEmpty && grant.fingerprint == rejected
        if isSame, !(revives && (hasServed || mayRevive)) {
            // The upstream hands out a token that it has not taken once since the last login: another would do the same
            // (reliability 3.5). One that has served may be the device's only one, dead until the login revived it.
            mayRevive = true
            let error = GatewayError(
                .loginUnavailable, detail: "login: it brought the same credential that was just rejected")
            return loginFailed(flight, error, now: now, jitter: jitter)
        }
        logins.succeeded += 1
        (isRevived, mayRevive, hasServed) = (isSame, false, false)
        return adopt(grant, now: now, jitter: jitter)
    }

    /// A credential that an earlier run of this program gained. Only at the start: a login is newer in any case.
    package mutating func restored(_ grant: CredentialGrant, now: UInt64, jitter: Double) -> [Action] {
        guard hasLogin, generation == 0, case .vacant = state else { return [] }
        return adopt(grant, now: now, jitter: jitter)
    }

    private mutating func adopt(_ grant: CredentialGrant, now: UInt64, jitter: Double) -> [Action] {
        generation += 1
        // The pauses go on growing until the upstream has taken one that it had refused.
        if !isRevived { failures = 0 }
        notBefore = 0
        lastError = nil
        refusal = nil
        rejected = []
        (lineage, updateOrders, endOrder) = (generation, [:], 0)
        let snapshot = CredentialSnapshot(generation: generation, grant: grant, obtainedAt: now)
        state = .ready(snapshot)
        loginAt = refreshTime(of: snapshot, jitter: jitter)
        var actions: [Action] = []
        let waiting = waitlist.removeAll()
        if !waiting.isEmpty { actions.append(.release(waiting, snapshot)) }
        if let loginAt { actions.append(.scheduleLogin(at: loginAt)) }
        return actions
    }

    /// The flight failed for a reason that may pass: the login service was away, or answered nonsense. `wait`: nanoseconds
    /// that the upstream wants to be left alone; they count when they are more than the pause. `isDoubtful`: the answer may
    /// have been a refusal that the recipe does not know.
    package mutating func loginFailed(
        _ flight: Flight, _ error: GatewayError, wait: UInt64 = 0, isDoubtful: Bool = false, now: UInt64, jitter: Double
    ) -> [Action] {
        guard isCurrent(flight) else { return [] }
        logins.failed += 1
        // Saturates: a session that failed for years must not trap.
        failures = Swift.min(failures + 1, 1_000_000)
        let backoff = Backoff(min: limits.backoffMin, max: limits.backoffMax)
        let pause = Swift.max(backoff.delay(failures: failures, jitter: jitter), wait)
        notBefore = now.addingSaturated(pause)
        let cause = error.withRetryAfter(pause)
        lastError = cause
        // Not where a wrong password, tried for ever, would lock the account, nor where a person was asked and would be
        // asked again and again: there the next exchange has to want it.
        if !isDoubtful, awaited?.flight != flight { loginAt = notBefore }
        let next = loginAt.map { [Action.scheduleLogin(at: $0)] } ?? []
        if case .refreshing(let snapshot, _) = state {
            // Soft failure: the old credential serves until its hard expiry (peers 8).
            state = .ready(snapshot)
            return next
        }
        state = .backingOff(until: notBefore, cause: cause)
        return failWaiters(cause) + next
    }

    /// The upstream said that user, password or key are wrong. Nothing is tried again on its own.
    package mutating func loginRefused(_ flight: Flight, _ error: GatewayError) -> [Action] {
        guard isCurrent(flight) else { return [] }
        logins.refused += 1
        lastError = error
        refusal = error
        loginAt = nil
        if case .refreshing(let snapshot, _) = state {
            state = .ready(snapshot)
            return []
        }
        state = .refused(error)
        return failWaiters(error)
    }

    /// The timer of `scheduleLogin` rang, or what the login had to wait for is over.
    package mutating func loginDue(now: UInt64) -> [Action] {
        guard let loginAt else { return [] }
        guard now >= loginAt else { return [.scheduleLogin(at: loginAt)] }
        let flight: Flight?
        switch state {
        case .ready(let snapshot): flight = refresh(snapshot, now: now)
        case .backingOff(_, let cause): flight = tryAgain(cause, now: now)
        case .vacant, .loggingIn, .refreshing, .refused: return []
        }
        if let flight { return [.startLogin(flight)] }
        return self.loginAt.map { [.scheduleLogin(at: $0)] } ?? []
    }

    /// An operator asks for a login: what was remembered is forgotten, refusals and the window included. A login that
    /// is under way is the one asked for. `keepsWindow`: the attempts go on being counted, see `windowRefusal`.
    package mutating func operatorReset(now: UInt64, keepsWindow: Bool = false) -> [Action] {
        guard hasLogin else { return [] }
        let waiting = awaited.map { $0.flight == flightUnderWay } ?? false
        let attempts = window
        forgetFailures()
        if keepsWindow { window = attempts }
        switch state {
        case .loggingIn(let old) where waiting:
            // It waits for somebody who lost the code: start anew.
            let flight = startFlight(now: now)
            state = .loggingIn(flight)
            return [.cancelLogin(old), .startLogin(flight)]
        case .loggingIn, .refreshing:
            return []
        case .ready(let snapshot):
            let flight = startFlight(now: now)
            state = .refreshing(snapshot, flight)
            return [.startLogin(flight)]
        case .vacant, .backingOff, .refused:
            let flight = startFlight(now: now)
            state = .loggingIn(flight)
            return [.startLogin(flight)]
        }
    }

    /// A reload that keeps the session: it goes on under the new limits. One that logs in otherwise has a machine of its own.
    package mutating func planChanged(_ limits: SessionLimits, now: UInt64, jitter: Double) -> [Action] {
        let isMoved = limits.refreshAhead != self.limits.refreshAhead
        self.limits = limits
        guard isMoved, hasLogin, refusal == nil, now >= notBefore, case .ready(let snapshot) = state else { return [] }
        loginAt = refreshTime(of: snapshot, jitter: jitter)
        return loginAt.map { [.scheduleLogin(at: $0)] } ?? []
    }
}

extension SessionMachine {
    /// The login under way, if any.
    package var flightUnderWay: Flight? {
        switch state {
        case .loggingIn(let flight), .refreshing(_, let flight): flight
        case .vacant, .ready, .backingOff, .refused: nil
        }
    }

    private func isCurrent(_ flight: Flight) -> Bool { flightUnderWay == flight }

    mutating func startFlight(now: UInt64) -> Flight {
        flights += 1
        logins.started += 1
        loginAt = nil
        window.add(now, limit: limits.windowLogins)
        return flights
    }

    /// The next try after a failure, unless the attempts window is used up; then `loginAt` says when to ask again.
    private mutating func tryAgain(_ cause: GatewayError, now: UInt64) -> Flight? {
        if let free = window.nextFree(now: now, limits: limits) {
            (loginAt, state) = (free, .backingOff(until: free, cause: cause))
            return nil
        }
        let flight = startFlight(now: now)
        state = .loggingIn(flight)
        return flight
    }

    /// Starts a refresh unless one must not start; then `loginAt` says when to ask again.
    mutating func refresh(_ snapshot: CredentialSnapshot, now: UInt64) -> Flight? {
        guard hasLogin, refusal == nil else {
            loginAt = nil
            return nil
        }
        if now < notBefore {
            loginAt = notBefore
            return nil
        }
        if let free = window.nextFree(now: now, limits: limits) {
            loginAt = free
            return nil
        }
        let flight = startFlight(now: now)
        state = .refreshing(snapshot, flight)
        return flight
    }

    /// Why no login may start now, having moved to the state that remembers it; `nil`: it may.
    mutating func blockLogin(now: UInt64) -> GatewayError? {
        if let refusal {
            state = .refused(refusal)
            return refusal
        }
        if now < notBefore, let lastError {
            state = .backingOff(until: notBefore, cause: lastError)
            loginAt = notBefore
            return lastError.withRetryAfter(notBefore - now)
        }
        if let error = windowRefusal(now: now) {
            let free = now.addingSaturated(error.retryAfter ?? 0)
            (lastError, loginAt) = (error, free)
            state = .backingOff(until: free, cause: error)
            return error
        }
        return nil
    }

    /// The attempts window is used up.
    package func windowRefusal(now: UInt64) -> GatewayError? {
        window.nextFree(now: now, limits: limits).map { free in
            GatewayError(
                .loginUnavailable, detail: "\(limits.windowLogins) logins within the attempts window",
                origin: .gateway, retryAfter: free.subtractingSaturated(now))
        }
    }

    private mutating func failWaiters(_ cause: GatewayError) -> [Action] {
        let waiting = waitlist.removeAll()
        return waiting.isEmpty ? [] : [.failAll(waiting, cause)]
    }

    private mutating func forgetFailures() {
        failures = 0
        notBefore = 0
        refusal = nil
        rejected = []
        (hasServed, isRevived, mayRevive) = (true, false, false)
        lastError = nil
        window = LoginWindow()
        takeovers = LoginWindow()
    }

    /// At most `refreshAhead` and at most 20 % of the lifetime before the expiry, less up to a tenth of that: never a
    /// floor, which would outlive short tokens (peers 34).
    func refreshTime(of snapshot: CredentialSnapshot, jitter: Double) -> UInt64? {
        guard let expiresAt = snapshot.expiresAt, expiresAt < .max, limits.refreshAhead > 0 else { return nil }
        let ahead = Swift.min(limits.refreshAhead, (expiresAt - snapshot.obtainedAt) / 5, 1 << 62)
        let spread = 0.9 + 0.1 * (jitter >= 0 && jitter < 1 ? jitter : 0.5)
        return expiresAt - UInt64(Double(ahead) * spread)
    }
}
