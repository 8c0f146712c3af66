import Domain

/// What follows from the plan of a session and what is around it.
extension SessionBook {
    /// A reload goes on with this session: it is logged in with the same.
    func serves(_ plan: SessionPlan) -> Bool { self.plan.identity == plan.identity }

    var upstream: UpstreamHandle { setting.upstreams[plan.upstream] }

    /// Both log in to, or are valid at, a server that the other one has too.
    func sharesServer(with other: SessionBook) -> Bool {
        let servers = servers
        return other.servers.contains { servers.contains($0) }
    }

    private var servers: [UpstreamWay.Server] { plan.upstreams.map { setting.plans[$0].way.server } }

    /// A request of this login would be refused by an open breaker.
    func isAway(_ login: LoginRun) -> Bool {
        login.source == nil && login.upstreamsAhead.contains { setting.upstreams[$0].status.state == .down }
    }

    /// Why there is nothing that the operator's wish could set off.
    func loginRefusal(hasAnswer: Bool) -> GatewayError? {
        if !plan.hasLogin, plan.digest == nil {
            return GatewayError(.badRequest, detail: "the session has no login", status: 409)
        }
        guard hasAnswer, plan.renewal.human == nil else { return nil }
        let remedy = plan.asksPerson ? "; POST without Countersign-Answer starts a login, which asks" : ""
        return GatewayError(.badRequest, detail: "nothing was asked\(remedy)", status: 409)
    }
}
