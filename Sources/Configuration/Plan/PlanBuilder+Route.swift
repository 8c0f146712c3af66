import Domain
import Expressions
import HTTPWire

extension PlanBuilder {
    func buildRoutes() -> [RoutePlan?] {
        let placed = raw.routes ?? []
        let routes = placed.map { route($0) }
        checkShadows(zip(placed, routes).map { (raw: $0, plan: $1) })
        return routes
    }

    private func route(_ placed: Placed<RawRoute>) -> RoutePlan? {
        let raw = placed.value
        let pattern = raw.path.flatMap { self.pattern($0) }
        let upstream = raw.upstream.flatMap { resolve($0, among: self.raw.upstreams, what: "upstream") }
        let session = raw.session.flatMap { resolve($0, among: self.raw.sessions, what: "session") }
        _ = compiler.takeReferences()
        if let session, let upstream { checkSession(session, upstream: upstream, raw) }
        // An unknown session is one issue, not one for each of its captures.
        let isSessionKnown = raw.session == nil || session != nil
        let captures = session.map { captureNames($0) } ?? []
        let scope = scopes.request(captures: captures, parameters: raw.parameters)
        let rewrite = isSessionKnown ? raw.rewrite.flatMap { compiler.line($0, in: scope) } : nil
        checkPath(raw.rewrite)
        let attach = isSessionKnown ? self.attach(raw.attach, in: scope) : AttachPlan()
        let signatures = isSessionKnown ? raw.signatures.compactMap { self.signature($0, session: session) } : []
        for reference in raw.signatures where !isSessionKnown {
            _ = resolve(reference, among: self.raw.signatures, what: "signature")
        }
        let shape = raw.shape.flatMap {
            isSessionKnown ? self.shape($0, in: scopes.transform(captures: captures, parameters: raw.parameters)) : nil
        }
        // Recipes may be compiled already, for a login.
        let used = compiler.takeReferences().union(signatures.flatMap(\.references))
        if let session, used.contains(where: { $0.name == "session" }) { usedSessions.insert(session) }
        let sent = raw.login == .never ? nil : session
        let envelope = raw.envelope.flatMap {
            envelopeRule($0, session: sent, raw.signatures, isSessionKnown: isSessionKnown)
        }
        // What tests of the session read; without one nobody asks.
        let sessionEnvelope = sent.flatMap {
            self.envelope(
                ofSession: $0, lastVariables(raw.signatures), of: "route \(Quoted.plain(raw.path?.value ?? ""))")
        }
        if let envelope { checkViews(session: session, signatures, envelope) }
        checkHosts(placed)
        let plans = [attach, session.flatMap { sessionAttaches[$0] }] + signatures.map(\.attach)
        if let shape = raw.shape { checkShape(shape, plans.compactMap(\.self)) }
        checkBodyKinds(placed, plans)
        checkBodyMethods(placed, plans)
        if isSessionKnown { checkDropped(placed, attach, upstream: upstream, session: session, signatures) }
        if let place = raw.loginPlace, raw.session == nil, raw.login != .never {
            place.report("login has no meaning without a session", hint: "add session: NAME")
        }
        guard let pattern, let upstream, let path = raw.path?.value else { return nil }
        var plan = RoutePlan(name: path, pattern: pattern, upstream: upstream)
        plan.methods = raw.methods
        plan.hosts = raw.hosts
        plan.rewrite = rewrite
        plan.session = session
        plan.login = raw.login
        plan.relogin = raw.relogin
        plan.signatures = signatures
        plan.attach = attach
        plan.shape = shape
        plan.envelope = envelope
        plan.sessionEnvelope = sessionEnvelope
        plan.limits = raw.limits
        plan.keepsUnderscores = raw.keepsUnderscores
        plan.rewritesLocation = raw.rewritesLocation
        return plan
    }

    private func pattern(_ placed: Placed<String>) -> PathPattern? {
        do throws(PathPatternError) {
            let pattern = try PathPattern(parsing: placed.value)
            if pattern.segments.first == .literal(Array("_countersign".utf8)) {
                placed.cursor.report("/_countersign is reserved for what the gateway answers itself")
            }
            return pattern
        } catch {
            placed.cursor.report(error.message, hint: error.hint, atByte: error.offset)
            return nil
        }
    }

    /// A token of one server must not go to another.
    private func checkSession(_ session: Int, upstream: Int, _ route: RawRoute) {
        guard let reference = route.session, let home = raw.sessions[session].value.upstream?.value,
            home != raw.upstreams[upstream].name
        else { return }
        reference.cursor.report(
            "session \(Quoted.text(reference.value)) belongs to upstream \(Quoted.text(home))",
            hint: "its credential would go to \(Quoted.plain(raw.upstreams[upstream].name))", severity: .warning)
    }

    /// A `Host` that the listener refuses never gets to a route.
    private func checkHosts(_ placed: Placed<RawRoute>) {
        for host in placed.value.hosts {
            guard let name = Authority(parsing: host)?.host, !knownHosts.contains(name) else { continue }
            (placed.cursor.member("hosts") ?? placed.cursor).report(
                "\(Quoted.text(name)) is not among the names that clients may use", hint: "add it to hosts at the top",
                severity: .warning)
        }
    }

    /// What `Host` may name.
    static func knownHosts(_ raw: RawConfig) -> Set<String> {
        let bound = (raw.listen ?? []).compactMap { listener -> String? in
            guard case .tcp(let host, _) = listener.value else { return nil }
            return host.contains(":") ? "[\(host)]" : host
        }
        return Set(["localhost"] + bound + raw.hosts.compactMap { Authority(parsing: $0)?.host })
    }

    /// A body is a form or JSON; fields of both kinds can never go out together.
    private func checkBodyKinds(_ placed: Placed<RawRoute>, _ plans: [AttachPlan?]) {
        let plans = plans.compactMap(\.self)
        let kinds: [AttachPlan.Place] = [.form, .json, .xml]
        func touched(_ plan: AttachPlan) -> Int { kinds.count { plan.touches($0) } }
        // Two in one section are reported there; a body that is made anew may be of any kind.
        guard !plans.contains(where: { touched($0) > 1 || $0.touches(.body) }),
            kinds.count(where: { kind in plans.contains { $0.touches(kind) } }) > 1
        else { return }
        placed.cursor.report("session, signature and attach put fields of two kinds into the body: form, JSON, XML")
    }

    /// A body that is attached needs a method that has one.
    private func checkBodyMethods(_ placed: Placed<RawRoute>, _ plans: [AttachPlan?]) {
        let raw = placed.value
        // One that the shape asks for is an issue of the shape.
        guard raw.shape.map({ [.keep, .query].contains($0.value.plan.target) }) ?? true else { return }
        let methods = raw.shape?.value.method.map { [$0] } ?? raw.methods
        guard !methods.isEmpty, methods.allSatisfy({ $0 == .get || $0 == .head }),
            let plan = plans.lazy.compactMap(\.self).first(where: { plan in
                [.form, .json, .xml, .body].contains { plan.touches($0) }
            }), let cursor = raw.shape?.cursor.member("method") ?? placed.cursor.member("methods")
        else { return }
        let what = plan.touches(.body) ? "a body" : "fields to the body"
        cursor.report(
            "session, signature or attach add \(what), and a GET or HEAD request carries none",
            hint: "request: {method: POST}", severity: .warning)
    }

    /// A route that earlier ones take all the requests of.
    private func checkShadows(_ routes: [(raw: Placed<RawRoute>, plan: RoutePlan?)]) {
        let known = routes.compactMap { pair in pair.plan.map { (raw: pair.raw, plan: $0) } }
        for shadow in RouteTable(known.map(\.plan)).shadows() {
            let (late, early) = (known[shadow.route], known[shadow.by])
            // A route of one's own in front of a profile's is meant to come first.
            if late.raw.cursor.node.position.profile != nil, early.raw.cursor.node.position.profile == nil { continue }
            (late.raw.value.path?.cursor ?? late.raw.cursor).report(
                "can never match: \(Quoted.text(early.plan.name)) \(early.raw.cursor.node.position.lineText) comes first",
                hint: late.raw.cursor.node.position.profile == nil
                    ? "the first match wins: put the narrower route first"
                    : "give the profile a prefix of its own: profile: {name: ..., prefix: /NAME}")
        }
    }
}
