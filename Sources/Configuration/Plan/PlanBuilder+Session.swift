import Domain
import Expressions

extension PlanBuilder {
    /// Names of a session's captures, each once, in the order of the file.
    func captureNames(_ session: Int) -> [String] {
        let raw = self.raw.sessions[session].value
        var all =
            raw.seed.map(\.name) + (raw.login + raw.refresh).flatMap { $0.value.captures.map(\.name) }
            + raw.updates.map(\.name)
        if let oauth2 = raw.oauth2 { all += OAuth2Steps.captureNames(oauth2.value) }
        if let token = raw.token {
            all +=
                token.value.captures.isEmpty
                ? ["token", "expires_in", "expires_at"] : token.value.captures.map(\.name)
        }
        if raw.asksPerson { all.append("human") }
        var names: [String] = []
        for name in all where !names.contains(name) { names.append(name) }
        return names
    }

    func session(_ named: Named<RawSession>) -> SessionPlan? {
        let raw = named.value
        let index = self.raw.sessions.firstIndex { $0.name == named.name } ?? 0
        let captures = captureNames(index)
        let upstream = raw.upstream.flatMap { resolve($0, among: self.raw.upstreams, what: "upstream") }
        if let envelope = raw.envelope { _ = resolve(envelope, among: self.raw.envelopes, what: "envelope") }
        var login = raw.login.compactMap { step($0, session: index, captures: captures) }
        var renewal = self.renewal(named, session: index, captures: captures)
        if let oauth2 = raw.oauth2, let upstream {
            let steps = OAuth2Steps(
                oauth2, captures: captures, upstream: upstream, provesPossession: raw.dpop != nil, builder: self)
            login += steps.login()
            renewal.refresh += steps.refresh()
        }
        renewal.refreshNeeds = renewal.refresh.first.map { $0.captureSlots(captures) } ?? []
        let attach = sessionAttach(named, captures: captures)
        sessionAttaches[index] = attach
        checkLimits(named)
        checkSources(named)
        checkSeed(named, renewal, captures: captures)
        checkAttached(named, attach)
        let hasLogin = !login.isEmpty || renewal.source != nil || renewal.human != nil || !renewal.seed.isEmpty
        let answer = scopes.response(captures: captures)
        // Without a login nothing could be done about an expiry.
        let expired =
            raw.expired.map { compiler.expression($0, in: answer, wantsBool: true) }
            ?? (hasLogin ? try? Expression(parsing: "status == 401", in: answer) : nil)
        let taken = raw.taken.flatMap { compiler.expression($0, in: answer, wantsBool: true) }
        sessionTests[index] = [(raw.expired, expired), (raw.taken, taken)].compactMap { cursor, test in
            if let cursor, let test { AnswerTest(cursor: cursor, test: test) } else { nil }
        }
        guard let upstream else { return nil }
        let update = update(raw.updates, in: answer, captures: captures)
        for (value, capture) in zip(raw.updates, update?.captures ?? []) {
            sessionTests[index]?.append(AnswerTest(cursor: value.value, test: capture.value))
        }
        let readsBody = [expired, taken].contains { $0.map { BodyUse.ofResponse($0.references) } ?? false }
        let plan = SessionPlan(
            name: named.name, upstream: upstream, login: login, expired: expired, expiredReadsBody: readsBody,
            attach: attach, captureNames: captures, limits: raw.limits, renewal: renewal,
            taken: taken.map { TakenPlan(when: $0, policy: raw.takeover.policy) }, keepsCookies: raw.cookies,
            digest: digest(raw.digest, captures: captures), dpop: dpop(raw.dpop, captures: captures),
            update: update,
            keepalive: keepalive(named, session: index, captures: captures))
        let identity = identity(named, plan)
        return plan.with(identity: identity, store: store(named, plan: plan, identity: identity))
    }

    private func renewal(_ named: Named<RawSession>, session: Int, captures: [String]) -> RenewalPlan {
        let raw = named.value
        var plan = RenewalPlan()
        plan.refresh = raw.refresh.compactMap { step($0, session: session, captures: captures) }
        plan.logout = raw.logout.compactMap { step($0, session: session, captures: captures) }
        plan.refreshesExpired = raw.refreshExpired
        plan.seed = raw.seed.compactMap { seed($0, captures: captures) }
        plan.source = raw.token.flatMap { source($0, captures: captures) }
        plan.human = raw.human
        plan.humanSlot = captures.firstIndex(of: "human")
        return plan
    }

    private func update(_ named: [Named<Cursor>], in answer: Scope, captures: [String]) -> UpdatePlan? {
        let values = loginCaptures(named, in: answer, names: captures)
        return values.isEmpty ? nil : UpdatePlan(captures: values, names: captures)
    }

    private func source(_ placed: Placed<RawToken>, captures: [String]) -> TokenSource? {
        let raw = placed.value
        let answer = scopes.response(captures: captures)
        let values = loginCaptures(raw.captures, in: answer, names: captures)
        if let file = raw.file, raw.command.isEmpty {
            return TokenSource(place: .file(path: FilePath.resolve(file, in: folder)), captures: values)
        }
        if raw.file == nil, !raw.command.isEmpty {
            return TokenSource(place: .command(raw.command, time: raw.time), captures: values)
        }
        placed.cursor.report("a token comes from one place", hint: "file or command")
        return nil
    }

    /// Where the credential goes; an OAuth 2.0 token is a bearer token unless told otherwise (RFC 6750 2.1).
    private func sessionAttach(_ named: Named<RawSession>, captures: [String]) -> AttachPlan {
        let raw = named.value
        let scope = scopes.request(captures: captures)
        if raw.attach.isEmpty, raw.oauth2 != nil,
            let value = try? Template(
                parsing: "\(raw.dpop == nil ? "Bearer" : "DPoP") ${session.access_token}", in: scope)
        {
            return AttachPlan(fields: [
                AttachPlan.Field(place: .header, name: Array("Authorization".utf8), value: value)
            ])
        }
        return attach(raw.attach, in: scope)
    }

    /// A credential that goes nowhere: neither the session attaches it nor does a route or its signatures use a capture.
    func checkUnusedSessions() {
        for (index, named) in raw.sessions.enumerated() where !usedSessions.contains(index) {
            let raw = named.value
            guard raw.attach.isEmpty, raw.oauth2 == nil, !raw.cookies, raw.digest == nil else { continue }
            named.reportName(
                "attaches nothing to requests", hint: "say where the credential goes", severity: .warning)
        }
    }

    private func checkLimits(_ named: Named<RawSession>) {
        let limits = named.value.limits
        guard limits.backoffMin > limits.backoffMax else { return }
        (named.cursor.member("backoff") ?? named.cursor).report("min is longer than max")
    }

    private func checkSources(_ named: Named<RawSession>) {
        let raw = named.value
        let ways = [!raw.login.isEmpty, raw.oauth2 != nil, raw.token != nil].count { $0 }
        if ways > 1 {
            named.reportName("has more than one way to log in", hint: "login, oauth2 or token")
        }
        for step in raw.refresh + raw.logout where step.value.asks {
            step.cursor.member("human")?.report("nobody is there to answer", hint: "ask in a step of login")
        }
        if raw.store != nil, !raw.logout.isEmpty {
            named.reportName("is kept for the next run, and ended with this one", hint: "store or logout")
        }
        if ways == 0, raw.human == nil, raw.seed.isEmpty, !raw.refresh.isEmpty {
            named.reportName(
                "can be refreshed but has no login",
                hint: "add login, oauth2 or human, or seed with the refresh token that it begins with")
        }
        if raw.token != nil, !raw.refresh.isEmpty || !raw.seed.isEmpty {
            named.reportName(
                "takes its token from a file or a command, which is asked again: nothing is refreshed",
                hint: raw.seed.isEmpty ? "seed with a secret instead of token" : "drop token")
        }
        if raw.human != nil, raw.token != nil {
            named.reportName("takes its token from a file or a command: nobody is asked", hint: "drop human")
        }
    }
}

extension RawSession {
    /// Something of the login is told by a person, as `session.human`.
    fileprivate var asksPerson: Bool { human != nil || login.contains { $0.value.asks } }
}

extension RawLoginStep {
    fileprivate var asks: Bool { human != nil && poll == nil }
}

extension RawTakeover {
    fileprivate var policy: TakenPlan.Policy {
        switch choice {
        case .yield: .yield
        case .takeover: .takeover(times: bound.count, per: bound.time)
        }
    }
}
