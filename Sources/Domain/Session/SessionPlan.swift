package import Expressions

/// How a session at one upstream is gained, attached and seen to end.
package final class SessionPlan: Sendable {
    package let name: String
    package let upstream: Int
    /// Empty: always ready (static attach).
    package let login: [LoginStep]
    /// Over an answer: the credential was refused.
    package let expired: Expression?
    /// The expiry test looks at the answer's body.
    package let expiredReadsBody: Bool
    package let attach: AttachPlan
    /// Names of captures, in slot order: `session.token` is a slot. `expires_in` and `expires_at` are special.
    package let captureNames: [String]
    package let limits: SessionLimits
    /// Digest of all that the recipe is made of (text of the section, secrets, signature, upstream): a reload that changes
    /// nothing of it keeps the session.
    package let fingerprint: [UInt8]

    package init(
        name: String, upstream: Int, login: [LoginStep], expired: Expression?, expiredReadsBody: Bool,
        attach: AttachPlan, captureNames: [String], limits: SessionLimits, fingerprint: [UInt8] = []
    ) {
        self.fingerprint = fingerprint
        self.name = name
        self.upstream = upstream
        self.login = login
        self.expired = expired
        self.expiredReadsBody = expiredReadsBody
        self.attach = attach
        self.captureNames = captureNames
        self.limits = limits
    }
}

/// Limits of one session. Times are nanoseconds.
package struct SessionLimits: Sendable, Equatable {
    /// Config `wait.requests`: exchanges that wait for a login; above: 503 `session_pending`.
    package var waiting = 256
    /// Config `wait.time`: longest wait of one exchange; then 503 `session_pending`.
    package var waitTime: UInt64 = 15_000_000_000
    /// Config `refresh_ahead`: at most this long before a known expiry, and at most 20 % of the lifetime.
    package var refreshAhead: UInt64 = 300_000_000_000
    /// Config `backoff.min`, `backoff.max`: pause after a failed login, doubled each time, jitter 20 %.
    package var backoffMin: UInt64 = 1_000_000_000
    package var backoffMax: UInt64 = 60_000_000_000
    /// Config `attempts_window`: at most `logins` per `per`; above: 503 `login_unavailable`.
    package var windowLogins = 5
    package var windowTime: UInt64 = 30_000_000_000
    package init() {}
}

/// One request of a login and what its answer means.
package struct LoginStep: Sendable {
    package struct Field: Sendable {
        package var name: [UInt8]
        package var value: Template
        package init(name: [UInt8], value: Template) {
            self.name = name
            self.value = value
        }
    }
    /// JSON body of a login: objects and arrays of templates; a template that is one `${...}` keeps its type.
    package indirect enum JSONShape: Sendable {
        case value(Template)
        case literal([UInt8])
        case object([JSONMember])
        case array([JSONShape])
    }
    package struct JSONMember: Sendable {
        package var key: [UInt8]
        package var value: JSONShape
        package init(key: [UInt8], value: JSONShape) {
            self.key = key
            self.value = value
        }
    }
    package enum Body: Sendable {
        case none
        case form([Field])
        case json(JSONShape)
        case raw(Template)
    }
    package struct Capture: Sendable {
        /// Index into `SessionPlan.captureNames`.
        package var slot: Int
        package var value: Expression
        package init(slot: Int, value: Expression) {
            self.slot = slot
            self.value = value
        }
    }
    package var method: [UInt8]
    package var path: Template
    package var query: [Field]
    package var headers: [Field]
    package var body: Body
    package var signatures: [SignaturePlan] = []
    /// `nil`: status in 200..299.
    package var success: Expression?
    package var refused: Expression?
    package var captures: [Capture]

    package init(method: [UInt8], path: Template) {
        self.method = method
        self.path = path
        query = []
        headers = []
        body = .none
        captures = []
    }
}
