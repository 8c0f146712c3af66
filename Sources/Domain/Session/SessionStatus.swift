/// What health and metrics tell about a session. Holds no credential.
package struct SessionStatus: Sendable, Equatable {
    /// Raw words as `/health` and the metric label have them.
    package enum State: String, Sendable, CaseIterable {
        /// No credential, and nothing speaks against getting one: it was not needed yet, or it ended unused.
        case none
        case ready, refused, backoff, taken
        case loggingIn = "logging_in"
        /// A person has to do something: `action` says what.
        case loginRequired = "login_required"
    }
    /// Raw words as `/health` has them. A session may be ready while a login is under way.
    package enum Attempt: String, Sendable {
        case none, running
        /// It waits for what a person answers; `action` is the question.
        case asking
    }
    package var state: State
    /// What goes on, whatever the state.
    package var attempt = Attempt.none
    /// Of the credential in use; 0: none yet.
    package var generation: UInt64
    /// Nanoseconds to the hard expiry; `nil` when unknown or no credential.
    package var expiresIn: UInt64?
    /// Nanoseconds until a login may be tried again; `nil` when one may start now or none will (refused).
    package var retryAfter: UInt64?
    /// No login comes by itself, and the next exchange would set one off.
    package var awaitsExchange: Bool
    package var lastError: GatewayError?
    /// What a person has to do for the session to go on.
    package var action: String?
    /// Exchanges that wait for a login.
    package var waiting: Int
    package var logins: SessionMachine.LoginCounts

    /// No credential serves, and the last try to get one failed. A login that is tried again meanwhile changes nothing of
    /// that, or readiness would flap with each try. Where the next try takes an exchange, one has to come: a balancer that
    /// heard "not ready" would never send it.
    package var isUnavailable: Bool {
        switch state {
        case .refused, .loginRequired: true
        case .backoff, .taken: !awaitsExchange
        case .loggingIn: lastError != nil
        case .none, .ready: false
        }
    }
}

extension SessionMachine {
    /// A refresh under way counts as `ready` while the old credential serves. One that has ended counts as if it were gone,
    /// whether or not an exchange has met that yet. `wall`: unix seconds, as for `exchangeArrived`.
    package func status(now: UInt64, wall: Int64? = nil) -> SessionStatus {
        var expiresIn: UInt64?
        var retryAfter: UInt64?
        let word: SessionStatus.State
        switch state {
        case .ready(let snapshot), .refreshing(let snapshot, _):
            if let expiresAt = snapshot.expiresAt { expiresIn = expiresAt.subtractingSaturated(now) }
            word = hasLogin && snapshot.isExpired(now: now, wall: wall) ? wordWithoutCredential : .ready
        case .vacant, .loggingIn, .backingOff, .refused: word = wordWithoutCredential
        }
        if word == .backoff || word == .taken { retryAfter = pauseEnd.flatMap { now < $0 ? $0 - now : nil } }
        return SessionStatus(
            state: word, attempt: flightUnderWay == nil ? .none : .running, generation: generation,
            expiresIn: expiresIn, retryAfter: retryAfter,
            awaitsExchange: refusal == nil && loginAt == nil && retryAfter == nil,
            lastError: lastError, action: lastError.flatMap { $0.kind == .loginRequired ? $0.detail : nil },
            waiting: waitlist.count, logins: logins)
    }

    /// What an exchange would meet that needs a credential now.
    private var wordWithoutCredential: SessionStatus.State {
        if let flight = flightUnderWay { return awaited?.flight == flight ? .loginRequired : .loggingIn }
        if case .refused(let error) = state { return Self.word(for: error) }
        if let refusal { return Self.word(for: refusal) }
        guard let lastError else { return .none }
        return lastError.kind == .sessionTaken ? .taken : .backoff
    }

    /// When the pause after a failed login is over.
    private var pauseEnd: UInt64? {
        if case .backingOff(let until, _) = state { return until }
        return refusal == nil ? notBefore : nil
    }

    private static func word(for refusal: GatewayError) -> SessionStatus.State {
        switch refusal.kind {
        case .loginRequired: .loginRequired
        case .sessionTaken: .taken
        default: .refused
        }
    }

    /// The credential that serves now, if any.
    package func credential(now: UInt64, wall: Int64? = nil) -> CredentialSnapshot? {
        switch state {
        case .ready(let snapshot), .refreshing(let snapshot, _):
            !hasLogin || !snapshot.isExpired(now: now, wall: wall) ? snapshot : nil
        case .vacant, .loggingIn, .backingOff, .refused: nil
        }
    }
}
