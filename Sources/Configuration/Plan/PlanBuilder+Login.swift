import Domain
import Expressions

/// Steps of a login or a refresh.
extension PlanBuilder {
    func step(_ placed: Placed<RawLoginStep>, session: Int, captures: [String]) -> LoginStep? {
        let raw = placed.value
        let signatures = raw.signatures.compactMap { self.signature($0, session: session) }
        let upstream = raw.upstream.flatMap { resolve($0, among: self.raw.upstreams, what: "upstream") }
        let (variables, names, known) = loginVariables(raw.variables, captures: captures)
        let answer = scopes.response(captures: captures, variables: names)
        let success = raw.success.flatMap { compiler.expression($0, in: answer, wantsBool: true) }
        let refused = raw.refused.flatMap { compiler.expression($0, in: answer, wantsBool: true) }
        let values = loginCaptures(raw.captures, in: answer, names: captures)
        let scope = scopes.request(captures: captures, variables: names).knowing(variables: known)
        let poll = raw.poll.flatMap { self.poll($0, in: answer) }
        let retryAfter = raw.retryAfter.flatMap { compiler.expression($0, in: answer) }
        // While it is polled there is an answer; a question comes before the request.
        let before = scopes.request(captures: captures)
        let human = raw.human.flatMap { compiler.template($0, in: raw.poll == nil ? before : answer) }
        guard let request = raw.request, var step = loginRequest(request, in: scope) else { return nil }
        checkBody(of: request, takes: signatures.attached, from: "signature")
        step.signatures = signatures
        step.success = success
        step.refused = refused
        step.retryAfter = retryAfter
        step.captures = values
        step.upstream = upstream
        step.variables = variables
        step.poll = poll
        step.human = human
        return step
    }

    func loginCaptures(_ named: [Named<Cursor>], in answer: Scope, names: [String]) -> [LoginStep.Capture] {
        named.compactMap { capture in
            guard let slot = names.firstIndex(of: capture.name),
                let value = compiler.expression(capture.value, in: answer)
            else { return nil }
            return LoginStep.Capture(slot: slot, value: value)
        }
    }

    /// Each sees those above it.
    private func loginVariables(
        _ named: [Named<Cursor>], captures: [String]
    ) -> (variables: [LoginStep.Variable], names: [String], known: [Constant?]) {
        var (variables, names, known): ([LoginStep.Variable], [String], [Constant?]) = ([], [], [])
        for variable in named {
            let scope = scopes.request(captures: captures, variables: names).knowing(variables: known)
            names.append(variable.name)
            var constant: Constant?
            let value = compiler.expression(variable.value, in: scope, noting: { constant = $0 })
            known.append(constant)
            guard let value else { continue }
            variables.append(LoginStep.Variable(name: variable.name, source: .expression(value)))
        }
        return (variables, names, known)
    }

    private func poll(_ raw: RawPoll, in answer: Scope) -> LoginStep.Poll? {
        guard let pending = raw.pending.flatMap({ compiler.expression($0, in: answer, wantsBool: true) }) else {
            return nil
        }
        var poll = LoginStep.Poll(pending: pending)
        poll.slower = raw.slower.flatMap { compiler.expression($0, in: answer, wantsBool: true) }
        poll.every = raw.every.flatMap { compiler.expression($0, in: answer) }
        poll.longest = raw.longest.flatMap { compiler.expression($0, in: answer) }
        return poll
    }

    func loginRequest(_ placed: Placed<RawLoginRequest>, in scope: Scope) -> LoginStep? {
        let raw = placed.value
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
    func fields(_ named: [Named<Cursor>], in scope: Scope, isLine: Bool = false) -> [NamedTemplate] {
        named.compactMap { field in
            let value = isLine ? compiler.line(field.value, in: scope) : compiler.template(field.value, in: scope)
            guard let value else { return nil }
            LiteralCredential.check(field, value)
            return NamedTemplate(name: Array(field.name.utf8), value: value)
        }
    }

    private func body(_ placed: Placed<RawLoginRequest>, in scope: Scope) -> LoginStep.Body {
        let raw = placed.value
        let bodies = [raw.form != nil, raw.json != nil, raw.xml != nil, raw.multipart != nil, raw.body != nil]
        if bodies.count(where: { $0 }) > 1 {
            placed.cursor.report("a request has one body", hint: "form, json, xml, multipart or body")
        }
        if let form = raw.form { return .form(fields(form.value, in: scope)) }
        if let json = raw.json { return .json(JSONShapeBuilder(compiler: compiler, scope: scope).shape(json)) }
        if let xml = raw.xml, let template = compiler.template(xml, in: scope) { return .xml(template) }
        if let parts = raw.multipart { return .multipart(parts.value.compactMap { part($0, in: scope) }) }
        if let body = raw.body, let template = compiler.template(body, in: scope) { return .raw(template) }
        return .none
    }

    private func part(_ named: Named<RawPart>, in scope: Scope) -> LoginStep.Part? {
        guard let cursor = named.value.value, let value = compiler.template(cursor, in: scope) else { return nil }
        return LoginStep.Part(
            name: Array(named.name.utf8), value: value,
            fileName: named.value.fileName.flatMap { compiler.template($0, in: scope) },
            type: named.value.type.map { Array($0.utf8) })
    }

    /// The fixed beginning of a path template must be a path.
    func checkPath(_ cursor: Cursor?) {
        guard let cursor, case .scalar(let scalar) = cursor.node.content else { return }
        if scalar.text.hasPrefix("/") || scalar.text.hasPrefix("${") { return }
        cursor.report("a path starts with /")
    }
}
