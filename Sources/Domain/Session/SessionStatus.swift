/// What health and metrics tell about a session. Holds no credential.
package struct SessionStatus: Sendable, Equatable {
    /// Raw words as `/health` and the metric label have them.
    package enum State: String, Sendable, CaseIterable {
        case none, ready, refused, backoff, taken
        case loggingIn = "logging_in"
        /// A person has to do something: `action` says what.
        case loginRequired = "login_required"
    }
    package var state: State
    /// Of the credential in use; 0: none yet.
    package var generation: UInt64
    /// Nanoseconds to the hard expiry; `nil` when unknown or no credential.
    package var expiresIn: UInt64?
    /// Nanoseconds until a login may be tried again; `nil` when one may start now or none will (refused).
    package var retryAfter: UInt64?
    package var lastError: GatewayError?
    /// What a person has to do for the session to go on.
    package var action: String?
    /// Exchanges that wait for a login.
    package var waiting: Int
    package var logins: SessionMachine.LoginCounts
}

extension SessionMachine {
    /// A refresh under way counts as `ready` while the old credential serves.
    package func status(now: UInt64) -> SessionStatus {
        var expiresIn: UInt64?
        var retryAfter: UInt64?
        let word: SessionStatus.State
        switch state {
        case .vacant: word = .none
        case .loggingIn(let flight): word = awaited?.flight == flight ? .loginRequired : .loggingIn
        case .ready(let snapshot), .refreshing(let snapshot, _):
            if let expiresAt = snapshot.expiresAt { expiresIn = expiresAt.subtractingSaturated(now) }
            word = snapshot.expiresAt.map { now >= $0 } ?? false ? .none : .ready
        case .backingOff(let until, let cause):
            if now < until { retryAfter = until - now }
            word = cause.kind == .sessionTaken ? .taken : .backoff
        case .refused(let error): word = Self.word(for: error)
        }
        return SessionStatus(
            state: word, generation: generation, expiresIn: expiresIn, retryAfter: retryAfter,
            lastError: lastError, action: lastError.flatMap { $0.kind == .loginRequired ? $0.detail : nil },
            waiting: waitlist.count, logins: logins)
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
