import Bytes
package import Expressions
import HTTPWire
import JSONBytes

/// Takes a request through the same steps as the gateway does, up to the moment when it would be sent.
package struct Explainer {
    private let plan: GatewayPlan
    private let recorder: CallRecorder
    private let trail: SecretTrail?

    /// - Parameter recorder: of the function table that the plan was compiled with; with any other there is no string to
    ///   sign in the result.
    /// - Parameter trail: told what expressions make of secrets; `nil`: they are shown.
    package init(plan: GatewayPlan, recorder: CallRecorder, trail: SecretTrail?) {
        self.plan = plan
        self.recorder = recorder
        self.trail = trail
    }

    /// - Returns: what is known, with `refusal` when a step refuses the request.
    package func explain(_ input: ExplainInput) -> Explanation {
        var result = Explanation()
        do {
            try explain(input, &result)
        } catch {
            result.refusal = error
        }
        return result
    }

    private func explain(_ input: ExplainInput, _ result: inout Explanation) throws(GatewayError) {
        let head = try head(of: input)
        if let refusal = hosts?.check(head) { throw GatewayError(refusal) }
        try AccessRule(plan: plan.access).check(head, authority: head.host)
        if head.isAsteriskForm || head.path.starts(with: "/_countersign/".utf8) {
            throw GatewayError(.notFound, detail: "the gateway answers this itself; nothing is sent")
        }
        let route = try route(for: head)
        let upstream = plan.upstreams[route.upstream]
        (result.route, result.upstream) = (route, upstream)
        if let body = input.body, UInt64(body.count) > route.limits.body {
            throw GatewayError(.tooLarge, detail: "request body above the route's limit of \(route.limits.body) bytes")
        }
        let sessionPlan = route.session.map { plan.sessions[$0] }
        result.session = sessionPlan.map { session($0, route, input) }
        let assembler = RequestAssembler(route: route, session: sessionPlan, upstream: upstream)
        var unframer = try assembler.unframer(of: head)
        let body = try unframer?.content(of: input.body ?? []) ?? input.body
        let content = body.map { RequestDraft.Content.held($0) } ?? .none
        func draft() -> RequestDraft {
            let draft = route.draft(
                of: head, content: content, authority: Array(upstream.authority.utf8), remote: Array("127.0.0.1".utf8))
            draft.isSecure = upstream.scheme == .https
            return draft
        }
        result.dropped = DroppedFields.list(head, draft(), route, assembler)
        let request = draft()
        unframer?.mark(request)
        try assemble(request, from: draft(), assembler, input, &result)
    }

    /// - Parameter client: what came, for the answer that is made of it.
    private func assemble(
        _ draft: RequestDraft, from client: RequestDraft, _ assembler: RequestAssembler, _ input: ExplainInput,
        _ result: inout Explanation
    ) throws(GatewayError) {
        let surroundings = Surroundings(secrets: plan.secrets, device: input.device, pinnedNonce: input.nonce)
        let scope = ExchangeScope(request: draft, now: input.now, surroundings: surroundings)
        scope.client = client
        if let session = result.session, session.state == .attached {
            let values = session.captures.map { CapturedValue.string($0.value) }
            scope.session = CredentialSnapshot(
                generation: 1, grant: CredentialGrant(captures: values, fingerprint: []), obtainedAt: 0)
        }
        let trace = AssemblyTrace(recorder: recorder, trail: trail)
        scope.trace = trace
        defer {
            result.rewritten = trace.rewritten
            result.computed = trace.computed
            result.skipsSignature = trace.skipsSignature
            result.unfinishedCalls = trace.unfinished()
        }
        try assembler.assemble(scope)
        result.request = result.upstream.map { WireText.request(draft, to: $0) }
        guard let answer = input.answer, let route = result.route else { return }
        result.answer = AnswerExplanation(answer, route, assembler.session, scope)
    }

    // MARK: Steps

    private func head(of input: ExplainInput) throws(GatewayError) -> RequestHead {
        let bytes = input.headBytes(usualHost: usualHost)
        switch RequestHeadParser.parse(bytes.span, limits: WireLimits(plan.limits)) {
        case .complete(let head, let consumed):
            guard consumed == bytes.count else {
                throw GatewayError.badRequest("the method, URL or a header ends the head of the request early")
            }
            return head
        case .refused(let refusal): throw GatewayError(refusal)
        case .incomplete: throw GatewayError.badRequest("this is no whole request")
        }
    }

    private func route(for head: RequestHead) throws(GatewayError) -> RoutePlan {
        switch RouteTable(plan.routes).match(head) {
        case .route(let index): return plan.routes[index]
        case .methodNotAllowed(let allow):
            var error = GatewayError.methodNotAllowed(allow: allow)
            error.detail = "the routes for this path take \(String(decoding: allow, as: UTF8.self))"
            throw error
        case .notFound: throw GatewayError(.notFound, detail: "no route matches this path")
        }
    }

    private func session(_ plan: SessionPlan, _ route: RoutePlan, _ input: ExplainInput) -> Explanation.Session {
        let captures = input.captures(of: plan)
        let isKnown = captures.contains(where: \.isGiven) || !plan.hasLogin
        let state: Explanation.Session.State =
            switch route.login {
            case .required: .attached
            case .optional: isKnown ? .attached : .guest
            case .never: .unused
            }
        return Explanation.Session(
            name: plan.name, state: state, rule: route.login, captures: captures, expired: plan.expired?.source)
    }

    // MARK: Hosts

    /// What a client that was given the first listener's address would send.
    private var usualHost: String {
        let host: String
        let port: UInt16
        switch plan.listeners.first(where: { $0.port != nil }) {
        case .tcp(let named, let number): (host, port) = (named, number)
        case .localhost(let number): (host, port) = ("localhost", number)
        case .unix, nil: return "localhost"
        }
        let isAny = host == "0.0.0.0" || host == "::"
        let name = isAny ? "localhost" : host.utf8.contains(0x3A) ? "[\(host)]" : host
        return port == 0 ? name : "\(name):\(port)"
    }

    /// As the listeners check it; a listener whose port the kernel chooses allows any port here.
    private var hosts: HostRule? {
        var entries = plan.access.hosts
        for listener in plan.listeners {
            guard let port = listener.port else {
                entries.append("localhost")
                continue
            }
            var names = ["localhost", "127.0.0.1", "[::1]"]
            if case .tcp(let host, _) = listener { names.append(host.utf8.contains(0x3A) ? "[\(host)]" : host) }
            for name in names {
                entries.append(port == 0 ? name : "\(name):\(port)")
            }
        }
        return HostRule(allowing: entries.map { Array($0.utf8) })
    }
}

extension ListenerPlan {
    fileprivate var port: UInt16? {
        switch self {
        case .tcp(_, let port), .localhost(let port): port
        case .unix: nil
        }
    }
}
