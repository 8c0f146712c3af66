/// The request that keeps a session alive while no client needs it.
package struct KeepalivePlan: Sendable {
    /// Nanoseconds without a request under the credential, then it is sent.
    package let every: UInt64
    /// Nanoseconds since the last request of a client, then the session may end.
    package let longest: UInt64
    /// Only its request, its signatures and its envelope are looked at.
    package let step: LoginStep

    package init(every: UInt64, longest: UInt64, step: LoginStep) {
        self.every = every
        self.longest = longest
        self.step = step
    }

    /// The request as the session's others go out: with cookies, with what the session attaches, then signed.
    /// - Throws: `internal` when the recipe has no value for it.
    package func request(
        _ scope: ExchangeScope, session: SessionPlan, credential: CredentialSnapshot, jar: CookieJar,
        upstream: UpstreamPlan
    ) throws(GatewayError) -> UpstreamRequest {
        try LoginRequest.draft(
            step, scope, session: session, upstream: upstream, captures: credential, jar: jar, place: "keepalive",
            attachesSession: true
        ).finished
    }
}
