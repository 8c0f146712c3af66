/// What one exchange has spent on its session, and whether it is sent again after its credential was refused.
///
/// Only an answer that the expiry test (or the test for a session that was taken over) recognises leads here: the upstream
/// did nothing with that attempt, so the next one cannot do it twice, whatever the method.
package struct ReplayLedger: Sendable {
    /// Attempts in all, the first included. Usually one replay is enough. Two generations can die together, though: a
    /// logout everywhere, or another device that logs in, while the renewal is under way. Three in a row are no accident
    /// but a call that is always refused.
    package static let mostAttempts = 3

    /// Why the upstream's refusal is handed on.
    package enum Reason: Sendable, CaseIterable {
        /// The body was not kept: it is above the route's limit `replay`.
        case bodyTooLarge
        /// The attempts window is used up: the session is kept for the others.
        case loginsSpent
        /// Each attempt was refused, the last one too.
        case attemptsSpent
        /// The renewal brought the very credential that was refused, which is thereby valid: the refusal is about the call.
        case sameCredential

        /// As `Countersign-Replay` and the access log have it.
        package var word: StaticString {
            switch self {
            case .bodyTooLarge: "body_too_large"
            case .loginsSpent: "logins_spent"
            case .attemptsSpent: "attempts_spent"
            case .sameCredential: "same_credential"
            }
        }
    }

    package enum Verdict: Sendable, Equatable {
        case replay
        case passOn(Reason)
    }

    /// Replays so far.
    package private(set) var replays = 0
    /// Generation that was refused last.
    private var refused: UInt64?

    package init() {}

    /// The attempt under this generation was refused.
    /// - Parameters:
    ///   - isReplayable: The request's body is still here.
    ///   - objection: `SessionMachine.objection` to a renewal after that generation.
    package mutating func credentialRefused(generation: UInt64, isReplayable: Bool, objection: Reason?) -> Verdict {
        if let objection { return .passOn(objection) }
        if !isReplayable { return .passOn(.bodyTooLarge) }
        if replays + 1 >= Self.mostAttempts { return .passOn(.attemptsSpent) }
        replays += 1
        refused = generation
        return .replay
    }

    /// A replay goes out under a newer generation only. An attempt is sent with the newest one that there is, so a newer
    /// one was gained after it was sent.
    package func admits(generation: UInt64) -> Bool { refused.map { generation > $0 } ?? true }
}
