package import Expressions

/// What happens when a login elsewhere ends the session (`taken:`, `on_taken:`). Two clients that both log in again by
/// themselves throw each other out for ever, so taking over is bounded.
package struct TakenPlan: Sendable {
    package enum Policy: Sendable, Equatable {
        /// The other one keeps it: `session_taken` until an operator asks for a login.
        case yield
        /// Log in again, at most so often in so much time (nanoseconds); above: `session_taken` until the time is over.
        case takeover(times: Int, per: UInt64)
    }
    package var when: Expression
    package var policy: Policy

    package init(when: Expression, policy: Policy) {
        self.when = when
        self.policy = policy
    }
}
