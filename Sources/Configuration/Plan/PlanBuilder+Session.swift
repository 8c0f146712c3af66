import Domain
import Expressions

extension PlanBuilder {
    /// Names of a session's captures, each once, in the order of the file.
    func captureNames(_ session: Int) -> [String] {
        var names: [String] = []
        for step in raw.sessions[session].value.login {
            for capture in step.value.captures where !names.contains(capture.name) { names.append(capture.name) }
        }
        return names
    }

    func session(_ named: Named<RawSession>) -> SessionPlan? {
        let raw = named.value
        let index = self.raw.sessions.firstIndex { $0.name == named.name } ?? 0
        let captures = captureNames(index)
        let upstream = raw.upstream.flatMap { resolve($0, among: self.raw.upstreams, what: "upstream") }
        let steps = raw.login.compactMap { step($0, session: index, captures: captures) }
        let expired = raw.expired.flatMap {
            compiler.expression($0, in: scopes.response(captures: captures), wantsBool: true)
        }
        let attach = attach(raw.attach, in: scopes.request(captures: captures))
        sessionAttaches[index] = attach
        checkLimits(named)
        if raw.attach.isEmpty {
            named.reportName(
                "attaches nothing to requests", hint: "say where the credential goes", severity: .warning)
        }
        guard let upstream else { return nil }
        return SessionPlan(
            name: named.name, upstream: upstream, login: steps, expired: expired,
            expiredReadsBody: expired.map { BodyUse.ofResponse($0.references) } ?? false, attach: attach,
            captureNames: captures, limits: raw.limits,
            fingerprint: fingerprint(session: index, upstream: upstream))
    }

    private func checkLimits(_ named: Named<RawSession>) {
        let limits = named.value.limits
        guard limits.backoffMin > limits.backoffMax else { return }
        (named.cursor.member("backoff") ?? named.cursor).report("min is longer than max")
    }

    private func step(_ placed: Placed<RawLoginStep>, session: Int, captures: [String]) -> LoginStep? {
        let raw = placed.value
        let signatures = raw.signatures.compactMap { self.signature($0, session: session) }
        let answer = scopes.response(captures: captures)
        let success = raw.success.flatMap { compiler.expression($0, in: answer, wantsBool: true) }
        let refused = raw.refused.flatMap { compiler.expression($0, in: answer, wantsBool: true) }
        let values = raw.captures.compactMap { capture -> LoginStep.Capture? in
            guard let slot = captures.firstIndex(of: capture.name),
                let value = compiler.expression(capture.value, in: answer)
            else { return nil }
            return LoginStep.Capture(slot: slot, value: value)
        }
        guard let request = raw.request, var step = loginRequest(request, captures: captures) else { return nil }
        step.signatures = signatures
        step.success = success
        step.refused = refused
        step.captures = values
        return step
    }

    private func loginRequest(_ placed: Placed<RawLoginRequest>, captures: [String]) -> LoginStep? {
        let raw = placed.value
        let scope = scopes.request(captures: captures)
        checkHeaders(raw.headers)
        let path = raw.path.flatMap { compiler.line($0, in: scope) }
        let query = fields(raw.query, in: scope)
        let headers = fields(raw.headers, in: scope, isLine: true)
        let body = body(placed, in: scope)
        checkPath(raw.path)
        guard let path else { return nil }
        var step = LoginStep(method: Array(raw.method.utf8), path: path)
        step.query = query
        step.headers = headers
        step.body = body
        return step
    }

    /// - Parameter isLine: the values take one line (header fields).
    private func fields(_ named: [Named<Cursor>], in scope: Scope, isLine: Bool = false) -> [LoginStep.Field] {
        named.compactMap { field in
            let value = isLine ? compiler.line(field.value, in: scope) : compiler.template(field.value, in: scope)
            guard let value else { return nil }
            LiteralCredential.check(field, value)
            return LoginStep.Field(name: Array(field.name.utf8), value: value)
        }
    }

    private func body(_ placed: Placed<RawLoginRequest>, in scope: Scope) -> LoginStep.Body {
        let raw = placed.value
        if [raw.form != nil, raw.json != nil, raw.body != nil].count(where: { $0 }) > 1 {
            placed.cursor.report("a request has one body", hint: "form, json or body")
        }
        if let form = raw.form { return .form(fields(form.value, in: scope)) }
        if let json = raw.json { return .json(JSONShapeBuilder(compiler: compiler, scope: scope).shape(json)) }
        if let body = raw.body, let template = compiler.template(body, in: scope) { return .raw(template) }
        return .none
    }

    /// The fixed beginning of a path template must be a path.
    func checkPath(_ cursor: Cursor?) {
        guard let cursor, case .scalar(let scalar) = cursor.node.content else { return }
        if scalar.text.hasPrefix("/") || scalar.text.hasPrefix("${") { return }
        cursor.report("a path starts with /")
    }
}
