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
        envelopePlans[named.name] = compile(named, scope(captures, variables))
        if issues.errorCount > before { failedEnvelopes.insert(named.name) }
    }

    /// What an envelope knows. It may serve routes with and without a session and a signature: a test for what one of them
    /// lacks finds nothing there.
    private func scope(_ captures: [String], _ variables: [String]) -> Scope {
        scopes.response(captures: captures, variables: variables, partial: [.session, .vars])
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
        guard plan.references.contains(where: { $0.name == "session" || $0.name == "vars" }) else { return plan }
        if let known = sessionEnvelopes[key] { return known }
        let captures = key.session.map { captureNames($0) } ?? []
        let variables = key.signature.map { variableNames($0) } ?? []
        do throws(ExpressionIssues) {
            let compiled = try plan.compiled(in: scope(captures, variables))
            sessionEnvelopes[key] = compiled
            return compiled
        } catch {
            report(error, key, reference)
            return nil
        }
    }

    /// The envelope by itself has no issue: what is missing is missing here.
    private func report(_ error: ExpressionIssues, _ key: EnvelopeKey, _ reference: Placed<String>) {
        let envelope = "envelope \(Quoted.text(reference.value))"
        guard let missing = error.issues.lazy.compactMap(\.missing).first, let member = missing.member else {
            return reference.cursor.report("\(envelope) cannot be used here: \(error.issues.first?.message ?? "")")
        }
        let ofSession = missing.name == "session"
        let reads = "\(envelope) reads \(missing.name).\(member)"
        let optional = "or \(missing.name).?\(member) in the envelope, where it may be missing"
        let owner =
            ofSession ? key.session.map { raw.sessions[$0].name } : key.signature.map { raw.signatures[$0].name }
        let what = ofSession ? "session" : "signature"
        guard let owner else {
            return reference.cursor.report(
                "\(reads), and requests of this route go out without a \(what)",
                hint: ExpressionIssue.hints(ofSession ? "session: NAME" : "sign: NAME", optional))
        }
        let names = ofSession ? key.session.map { captureNames($0) } : key.signature.map { variableNames($0) }
        reference.cursor.report(
            "\(reads), which \(what) \(Quoted.text(owner)) does not \(ofSession ? "capture" : "compute")",
            hint: ExpressionIssue.hints(Suggestion.hint(for: member, among: names ?? []), optional))
    }

    /// Tests for what no route could ever have.
    func warnOfVainTests() {
        for (index, named) in raw.envelopes.enumerated() {
            let keys = sessionEnvelopes.keys.filter { $0.envelope == index }
            guard let plan = envelopePlans[named.name], !keys.isEmpty else { continue }
            let there: [String: Set<String>] = [
                "session": Set(keys.compactMap(\.session).flatMap { captureNames($0) }),
                "vars": Set(keys.compactMap(\.signature).flatMap { variableNames($0) }),
            ]
            warn(named, plan.references, there)
        }
        for (index, named) in raw.signatures.enumerated() {
            let uses = signaturePlans.filter { $0.key.signature == index }
            guard !uses.isEmpty else { continue }
            let captures = Set(uses.keys.compactMap(\.session).flatMap { captureNames($0) })
            warn(named, uses.values.reduce(into: []) { $0.formUnion($1.references) }, ["session": captures])
        }
    }

    private func warn<Value>(_ named: Named<Value>, _ references: Set<Reference>, _ there: [String: Set<String>]) {
        guard named.position.profile == nil else { return }
        for (root, known) in there.sorted(by: { $0.key < $1.key }) {
            let tested = Set(references.compactMap { $0.name == root ? $0.member : nil })
            for member in tested.subtracting(known).sorted() {
                named.reportName(
                    "asks for \(root).\(member), and no \(root == "vars" ? "signature" : "session") that it is used with has it",
                    hint: Suggestion.hint(for: member, among: known.sorted()), severity: .warning)
            }
        }
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
