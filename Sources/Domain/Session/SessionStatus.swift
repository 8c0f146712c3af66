/// What health and metrics tell about a session. Holds no credential.
package struct SessionStatus: Sendable, Equatable {
    /// Raw words as `/health` and the metric label have them.
    package enum State: String, Sendable, CaseIterable {
        case none, ready, refused, backoff
        case loggingIn = "logging_in"
    }
    package var state: State
    package var generation: UInt64
    /// Nanoseconds to the hard expiry; `nil` when unknown or no credential.
    package var expiresIn: UInt64?
    /// Nanoseconds until a login may be tried again; `nil` when one may start now or none will (refused).
    package var retryAfter: UInt64?
    package var lastError: GatewayError?
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
        case .loggingIn: word = .loggingIn
        case .ready(let snapshot), .refreshing(let snapshot, _):
            if let expiresAt = snapshot.expiresAt { expiresIn = expiresAt.subtractingSaturated(now) }
            word = snapshot.expiresAt.map { now >= $0 } ?? false ? .none : .ready
        case .backingOff(let until, _):
            if now < until { retryAfter = until - now }
            word = .backoff
        case .refused: word = .refused
        }
        return SessionStatus(
            state: word, generation: generation, expiresIn: expiresIn, retryAfter: retryAfter,
            lastError: lastError, waiting: waitlist.count, logins: logins)
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
