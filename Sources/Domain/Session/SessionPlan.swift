package import Expressions

/// How a session at one upstream is gained, attached and seen to end.
package final class SessionPlan: Sendable {
    package let name: String
    /// Position among the plan's upstreams: where the session is valid.
    package let upstream: Int
    /// Empty, and no other source: always ready (static attach).
    package let login: [LoginStep]
    /// Ways to a credential other than `login`, and what they need.
    package let renewal: RenewalPlan
    /// Over an answer: somebody else took the session over.
    package let taken: TakenPlan?
    /// A cookie jar: what the upstream sets is kept, and goes with each request.
    package let keepsCookies: Bool
    /// User name and password for HTTP Digest; the upstream's challenges are answered request by request.
    package let digest: DigestPlan?
    /// Proofs of possession that go with each request and each step of a login.
    package let dpop: DPoPSigner?
    /// What ordinary answers bring for the credential.
    package let update: UpdatePlan?
    /// What keeps it alive while no client needs it.
    package let keepalive: KeepalivePlan?
    /// Where the credential is kept across restarts.
    package let store: StorePlan?
    /// Over an answer: the credential was refused.
    package let expired: Expression?
    /// The expiry test, or the test for a session that was taken over, looks at the answer's body.
    package let expiredReadsBody: Bool
    /// What each request of the session carries.
    package let attach: AttachPlan
    /// Names of captures, in slot order: `session.token` is a slot. `expires_in` and `expires_at` are special.
    package let captureNames: [String]
    package let limits: SessionLimits
    /// Digest of what a credential of this session belongs to: who logs in, where, how, with which secrets. A reload that
    /// changes nothing of it keeps the session.
    package let identity: [UInt8]

    package init(
        name: String, upstream: Int, login: [LoginStep], expired: Expression?, expiredReadsBody: Bool,
        attach: AttachPlan, captureNames: [String], limits: SessionLimits, identity: [UInt8] = [],
        renewal: RenewalPlan = RenewalPlan(), taken: TakenPlan? = nil, keepsCookies: Bool = false,
        digest: DigestPlan? = nil, dpop: DPoPSigner? = nil, update: UpdatePlan? = nil, store: StorePlan? = nil,
        keepalive: KeepalivePlan? = nil
    ) {
        self.keepalive = keepalive
        self.update = update
        self.store = store
        self.digest = digest
        self.dpop = dpop
        self.renewal = renewal
        self.taken = taken
        self.keepsCookies = keepsCookies
        self.identity = identity
        self.name = name
        self.upstream = upstream
        self.login = login
        self.expired = expired
        self.expiredReadsBody = expiredReadsBody
        self.attach = attach
        self.captureNames = captureNames
        self.limits = limits
    }

    package func with(identity: [UInt8], store: StorePlan?) -> SessionPlan {
        SessionPlan(
            name: name, upstream: upstream, login: login, expired: expired, expiredReadsBody: expiredReadsBody,
            attach: attach, captureNames: captureNames, limits: limits, identity: identity, renewal: renewal,
            taken: taken, keepsCookies: keepsCookies, digest: digest, dpop: dpop, update: update, store: store,
            keepalive: keepalive)
    }

    /// A credential can be gained anew.
    package var hasLogin: Bool { hasFullLogin || !renewal.seed.isEmpty }

    /// The same without what a seed or an earlier credential gives.
    package var hasFullLogin: Bool { !login.isEmpty || renewal.source != nil || renewal.human != nil }

    /// What its first renewal begins with, by slot; empty without a `seed`.
    package func seeded(_ surroundings: Surroundings) -> [CapturedValue] {
        guard !renewal.seed.isEmpty else { return [] }
        var captures = Array(repeating: CapturedValue.null, count: captureNames.count)
        let scope = ExchangeScope(request: LoginRun.emptyDraft, now: (0, 0), surroundings: surroundings)
        for seed in renewal.seed {
            // One that has no value is not there, and the run says what is missing.
            if let value = try? seed.value.evaluate(scope) { captures[seed.slot] = CapturedValue(value) }
        }
        return captures
    }

    /// A login cannot end without somebody who does something.
    package var needsPerson: Bool { renewal.human != nil || login.contains { $0.human != nil } }

    /// A step of the login asks a person: then it is sent only for somebody who is there.
    package var asksPerson: Bool { login.contains(where: \.asks) }

    /// Every upstream that a login or a logout talks to.
    package var upstreams: [Int] { upstreams(of: login + renewal.refresh + renewal.logout) }

    /// Those that the credential comes from and goes to.
    package var loginUpstreams: [Int] { upstreams(of: login + renewal.refresh) }

    private func upstreams(of steps: [LoginStep]) -> [Int] {
        var all = [upstream]
        for step in steps where !all.contains(step.upstream ?? upstream) { all.append(step.upstream ?? upstream) }
        return all
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
    /// Config `in_flight`: requests that are out with the credential at once; 0 is without limit. More wait as above.
    package var inFlight = 0
    /// Config `attempts_window`: at most `logins` per `per`; above: 503 `login_unavailable`.
    package var windowLogins = 5
    package var windowTime: UInt64 = 30_000_000_000
    /// Config `login_time`: longest time that the requests of one login may take, all together. Time in which a person acts
    /// does not count; then: the login has failed.
    package var loginTime: UInt64 = 60_000_000_000
    package init() {}
}

extension SessionPlan {
    /// Clients' requests carry the capture of this name by `attach`.
    func attaches(_ name: String) -> Bool {
        attach.fields.contains { $0.value.references.contains(Reference("session", name)) }
    }

    /// Requests go out with the same by either: a server that hands out its token again has ended nothing, whatever else it
    /// told. A session of cookies is told by them.
    package func attachesTheSame(_ a: [CapturedValue], _ b: [CapturedValue]) -> Bool {
        let attached = captureNames.indices.filter { attaches(captureNames[$0]) }
        return !keepsCookies && !attached.isEmpty && attached.allSatisfy { slot in text(a[slot]) == text(b[slot]) }
    }

    private func text(_ capture: CapturedValue) -> [UInt8] {
        var text: [UInt8] = []
        capture.value.appendJSON(to: &text)
        return text
    }
}
