import Domain
import Expressions

extension PlanBuilder {
    private static let ownTargets = ["standard", "problem", "same"]

    /// Compiles it with the captures of all sessions and the variables of all signatures, so that slips show once, whoever
    /// uses it.
    func checkEnvelope(_ named: Named<RawEnvelope>) {
        if PlanBuilder.ownTargets.contains(named.name) {
            named.reportName("\(named.name) has a meaning of its own", hint: "choose another name")
        }
        checkSteps(named.value.unwrap, named)
        let before = issues.errorCount
        let captures = Set(raw.sessions.indices.flatMap { captureNames($0) }).sorted()
        let variables = Set(raw.signatures.indices.flatMap { variableNames($0) }).sorted()
        envelopePlans[named.name] = compile(named, scopes.response(captures: captures, variables: variables))
        if issues.errorCount > before { failedEnvelopes.insert(named.name) }
    }

    private func compile(_ named: Named<RawEnvelope>, _ answer: Scope) -> EnvelopePlan {
        let (raw, message) = (named.value, scopes.render())
        let render = raw.render.compactMap { field in
            compiler.template(field.value, in: message).map {
                NamedTemplate(name: Array(field.name.utf8), value: $0)
            }
        }
        return EnvelopePlan(
            name: named.name, types: raw.types.map { Array($0.utf8) }, unwrap: raw.unwrap,
            open: raw.open.flatMap { compiler.expression($0, in: answer) },
            ok: raw.ok.flatMap { compiler.expression($0, in: answer, wantsBool: true) },
            code: raw.code.flatMap { compiler.expression($0, in: answer) },
            message: raw.message.flatMap { compiler.expression($0, in: answer) },
            data: raw.data.flatMap { compiler.expression($0, in: answer) }, render: render)
    }

    private func checkSteps(_ steps: [UnwrapStep], _ named: Named<RawEnvelope>) {
        for (index, step) in steps.enumerated() where steps[..<index].contains(where: { $0.rank == step.rank }) {
            (named.cursor.member("unwrap") ?? named.cursor).report("the same step twice", hint: step.text)
        }
    }

    private func variableNames(_ signature: Int) -> [String] { raw.signatures[signature].value.variables.map(\.name) }

    /// - Parameters:
    ///   - session: that the route's requests go out with; `nil`: none does.
    ///   - isSessionKnown: the route names none that is not there, which is one issue and not several.
    func envelopeRule(
        _ placed: Placed<RawEnvelopeRule>, session: Int?, _ signatures: [Placed<String>], isSessionKnown: Bool
    ) -> EnvelopeRule? {
        let raw = placed.value
        let from = raw.from.flatMap { resolve($0, among: self.raw.envelopes, what: "envelope") }
        let target = raw.target.map { self.target($0) } ?? .standard
        guard let reference = raw.from, let from, let target, isSessionKnown,
            signatures.allSatisfy({ name in self.raw.signatures.contains { $0.name == name.value } })
        else { return nil }
        // What a route's last signature has computed is what is there when the answer comes.
        let signature = signatures.last.flatMap { last in self.raw.signatures.firstIndex { $0.name == last.value } }
        let key = EnvelopeKey(envelope: from, session: session, signature: signature)
        guard let plan = envelope(key, reference) else { return nil }
        return EnvelopeRule(from: plan, target: target, status: raw.status)
    }

    private func envelope(_ key: EnvelopeKey, _ reference: Placed<String>) -> EnvelopePlan? {
        let named = raw.envelopes[key.envelope]
        guard let plan = envelopePlans[named.name], !failedEnvelopes.contains(named.name) else { return nil }
        let (captures, variables) = (plan.members(of: "session"), plan.members(of: "vars"))
        guard !captures.isEmpty || !variables.isEmpty else { return plan }
        if let known = sessionEnvelopes[key] { return known }
        let session = key.session.map { (name: raw.sessions[$0].name, has: captureNames($0)) }
        let signature = key.signature.map { (name: raw.signatures[$0].name, has: variableNames($0)) }
        let isWhole =
            check(captures, of: session, as: ("session", "capture"), reference)
            && check(variables, of: signature, as: ("vars", "compute"), reference)
        guard isWhole else { return nil }
        let scope = scopes.response(captures: session?.has ?? [], variables: signature?.has ?? [])
        let compiled = compile(named, scope)
        sessionEnvelopes[key] = compiled
        return compiled
    }

    /// True when the route's session (or last signature) has all that the envelope reads of it.
    private func check(
        _ members: [String], of owner: (name: String, has: [String])?, as words: (name: String, verb: String),
        _ reference: Placed<String>
    ) -> Bool {
        guard let missing = members.first(where: { owner?.has.contains($0) != true }) else { return true }
        let reads = "envelope \(Quoted.text(reference.value)) reads \(words.name).\(missing)"
        let what = words.name == "session" ? "session" : "signature"
        if let owner {
            reference.cursor.report(
                "\(reads), which \(what) \(Quoted.text(owner.name)) does not \(words.verb)",
                hint: Suggestion.hint(for: missing, among: owner.has))
        } else {
            reference.cursor.report(
                "\(reads), and requests of this route go out without a \(what)",
                hint: what == "session" ? "session: NAME" : "sign: NAME")
        }
        return false
    }

    private func target(_ reference: Placed<String>) -> EnvelopeRule.Target? {
        switch reference.value {
        case "standard": return .standard
        case "problem": return .problem
        case "same": return .same
        default:
            if let plan = envelopePlans[reference.value] {
                usedNames.insert("envelope \(reference.value)")
                if plan.render.isEmpty {
                    reference.cursor.report("envelope \(Quoted.text(plan.name)) has no render rules")
                }
                return .other(plan)
            }
            let names = PlanBuilder.ownTargets + raw.envelopes.map(\.name)
            reference.cursor.report(
                "no envelope named \(Quoted.text(reference.value))",
                hint: Suggestion.hint(for: reference.value, among: names))
            return nil
        }
    }
}

extension EnvelopePlan {
    fileprivate func members(of name: String) -> [String] {
        Set(references.compactMap { $0.name == name ? $0.member : nil }).sorted()
    }
}
