import Bytes
import Domain
import Expressions
import HTTPWire

/// A plan with what it needs at run time. An exchange keeps the one it started with; a reload makes a new one.
final class PlanRuntime {
    let plan: GatewayPlan
    let wireLimits: WireLimits
    let access: AccessRule
    let adminAccess: AccessRule
    let admission: AdmissionRule
    let texts: ErrorTexts
    let surroundings: Surroundings
    let upstreams: [UpstreamHandle]
    let sessions: [SessionBook]
    let routes: [RouteRuntime]
    private let table: RouteTable
    private let mainHosts: HostRule
    private let adminHosts: HostRule

    init(plan: GatewayPlan, worker: Worker, previous: PlanRuntime?) {
        self.plan = plan
        wireLimits = WireLimits(plan.limits, plan.routes)
        access = AccessRule(plan: plan.access)
        adminAccess = AccessRule.admin
        admission = AdmissionRule(limits: plan.limits)
        texts = ErrorTexts(overrides: plan.texts)
        surroundings = Surroundings(
            secrets: plan.secrets, device: worker.options.device, pinnedNonce: worker.options.pinnedNonce)
        mainHosts = worker.hostRule(plan, role: .main)
        adminHosts = worker.hostRule(plan, role: .admin)
        upstreams = zip(plan.upstreams, plan.reachability).map { upstream, reachability in
            guard let kept = previous?.upstreams.first(where: { $0.serves(upstream) }) else {
                return UpstreamHandle(plan: upstream, reachability: reachability, worker: worker)
            }
            kept.planChanged(upstream, reachability)
            return kept
        }
        let setting = SessionSetting(plans: plan.upstreams, upstreams: upstreams, surroundings: surroundings)
        sessions = plan.sessions.map { session in
            guard let kept = previous?.sessions.first(where: { $0.serves(session) }) else {
                return SessionBook(plan: session, setting, worker: worker)
            }
            kept.planChanged(session, setting)
            return kept
        }
        let upstreams = self.upstreams
        let sessions = self.sessions
        routes = plan.routes.enumerated().map { index, route in
            RouteRuntime(
                index: index, plan: route, upstream: upstreams[route.upstream],
                session: route.session.map { sessions[$0] }, metrics: worker.metrics.route(route.name))
        }
        table = RouteTable(plan.routes)
    }

    /// The plan is over for new exchanges: what the next one does not take over ends with its last transfer.
    func retire(keeping next: PlanRuntime) {
        for upstream in upstreams where !next.upstreams.contains(where: { $0 === upstream }) { upstream.retire() }
        for session in sessions where !next.sessions.contains(where: { $0 === session }) { session.retire() }
    }

    func hostRule(for role: ListenerRole) -> HostRule { role == .admin ? adminHosts : mainHosts }

    /// The route that takes a `GET` of this path at this host; `nil`: none.
    func route(host: ArraySlice<UInt8>?, path: [UInt8]) -> RouteRuntime? {
        guard case .route(let index) = table.match(host: host, path: path[...], method: .get) else { return nil }
        return routes[index]
    }

    /// The first route that fits; 404 or 405 otherwise.
    func route(for head: RequestHead) throws(GatewayError) -> RouteRuntime {
        switch table.match(head) {
        case .route(let index): return routes[index]
        case .methodNotAllowed(let allow): throw .methodNotAllowed(allow: allow)
        case .notFound: throw GatewayError(.notFound, detail: "no route matches this path")
        }
    }
}

/// What a listener is for.
enum ListenerRole { case main, admin }
