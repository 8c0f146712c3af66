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
        let variables = Set(raw.signatures.indices.flatMap { variableNames($0) } + stepVariables(readBy: named.name))
        envelopePlans[named.name] = compile(named, scope(captures, variables.sorted()))
        if issues.errorCount > before { failedEnvelopes.insert(named.name) }
    }

    /// Of the steps whose answers it reads.
    private func stepVariables(readBy envelope: String) -> [String] {
        raw.sessions.filter { $0.value.envelope?.value == envelope }.flatMap { session in
            (session.value.login + session.value.refresh + session.value.logout).flatMap {
                $0.value.variables.map(\.name)
            }
        }
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
            name: named.name, types: raw.types.map { Array($0.utf8) },
            verify: raw.verify.flatMap { compiler.expression($0, in: answer, wantsBool: true) }, unwrap: raw.unwrap,
            open: raw.open.flatMap { compiler.expression($0, in: answer) },
            ok: raw.ok.flatMap { compiler.expression($0, in: answer, wantsBool: true) },
            code: raw.code.flatMap { compiler.expression($0, in: answer) },
            message: raw.message.flatMap { compiler.expression($0, in: answer) },
            data: raw.data.flatMap { compiler.expression($0, in: answer) }, render: render,
            renderType: raw.renderType.map { Array($0.utf8) })
    }

    private func checkSteps(_ steps: [UnwrapStep], _ named: Named<RawEnvelope>) {
        for (index, step) in steps.enumerated() where steps[..<index].contains(where: { $0.rank == step.rank }) {
            (named.cursor.member("unwrap") ?? named.cursor).report("the same step twice", hint: step.text)
        }
    }

    private func variableNames(_ variables: EnvelopeKey.Variables) -> [String] {
        switch variables {
        case .none: []
        case .signature(let index): variableNames(index)
        case .step(let names): names
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
        let key = EnvelopeKey(envelope: from, session: session, variables: lastVariables(signatures))
        guard let plan = envelope(key, reference, of: "this route") else { return nil }
        if case .same = target { warnOfVainVerification(plan, placed) }
        return EnvelopeRule(from: plan, target: target, status: status(raw.status))
    }

    /// What the last signature of a request has computed is what is there when the answer comes.
    func lastVariables(_ signatures: [Placed<String>]) -> EnvelopeKey.Variables {
        guard let last = signatures.last, let index = raw.signatures.firstIndex(where: { $0.name == last.value }) else {
            return .none
        }
        return .signature(index)
    }

    /// The envelope that a session reads answers by; `nil`: it names none.
    /// - Parameter requests: whose answers it reads, in words.
    func envelope(
        ofSession session: Int, _ variables: EnvelopeKey.Variables, of requests: String
    ) -> EnvelopePlan? {
        guard let reference = raw.sessions[session].value.envelope,
            let index = raw.envelopes.firstIndex(where: { $0.name == reference.value })
        else { return nil }
        return envelope(
            EnvelopeKey(envelope: index, session: session, variables: variables), reference, of: requests)
    }

    private func status(_ cursor: Cursor?) -> EnvelopeRule.StatusRule {
        guard let cursor, case .scalar(let scalar) = cursor.node.content, scalar.text != "keep" else { return .keep }
        if scalar.text == "map" { return .map }
        var known: Constant?
        guard let status = compiler.expression(cursor, in: scopes.render(), noting: { known = $0 }) else {
            return .keep
        }
        if ![.int, .dyn, .optional(.int), .optional(.dyn)].contains(status.resultType) {
            cursor.report(
                "must give a status, not \(status.resultType.name)", hint: "keep, map, or like ok ? 200 : 400")
        } else if case .int(let number) = known, let problem = MessageStatus.problem(with: Int(clamping: number)) {
            cursor.report(problem)
        }
        return .given(status)
    }

    /// The answer passes, whatever comes of it.
    private func warnOfVainVerification(_ plan: EnvelopePlan, _ placed: Placed<RawEnvelopeRule>) {
        let parts = [("open", plan.open), ("ok", plan.ok), ("code", plan.code), ("data", plan.data)]
        for (name, expression) in parts {
            guard let function = expression?.functions.sorted().first(where: { $0.contains(".verify") }) else {
                continue
            }
            (placed.cursor.member("to") ?? placed.cursor).report(
                "answers pass as they are, also where \(function) in `\(name)` of envelope \(Quoted.text(plan.name)) fails",
                hint: "verify: EXPR in the envelope", severity: .warning)
        }
    }

    private func envelope(_ key: EnvelopeKey, _ reference: Placed<String>, of requests: String) -> EnvelopePlan? {
        let named = raw.envelopes[key.envelope]
        guard let plan = envelopePlans[named.name], !failedEnvelopes.contains(named.name) else { return nil }
        guard plan.references.contains(where: { $0.name == "session" || $0.name == "vars" }) else { return plan }
        if let known = sessionEnvelopes[key] { return known }
        let captures = key.session.map { captureNames($0) } ?? []
        let variables = variableNames(key.variables)
        do throws(ExpressionIssues) {
            let compiled = try plan.compiled(in: scope(captures, variables))
            sessionEnvelopes[key] = compiled
            return compiled
        } catch {
            report(error, key, reference, of: requests)
            return nil
        }
    }

    /// The envelope by itself has no issue: what is missing is missing here.
    private func report(
        _ error: ExpressionIssues, _ key: EnvelopeKey, _ reference: Placed<String>, of requests: String
    ) {
        let envelope = "envelope \(Quoted.text(reference.value))"
        guard let missing = error.issues.lazy.compactMap(\.missing).first, let member = missing.member else {
            return reference.cursor.report("\(envelope) cannot be used here: \(error.issues.first?.message ?? "")")
        }
        let ofSession = missing.name == "session"
        let reads = "\(envelope) reads \(missing.name).\(member)"
        let optional = "or \(missing.name).?\(member) in the envelope, where it may be missing"
        let what = ofSession ? "session" : "signature"
        var owner: String?
        if ofSession {
            owner = key.session.map { raw.sessions[$0].name }
        } else if case .signature(let index) = key.variables {
            owner = raw.signatures[index].name
        } else if case .step = key.variables {
            return reference.cursor.report("\(reads), which a step of the login does not compute", hint: optional)
        }
        guard let owner else {
            return reference.cursor.report(
                "\(reads), and requests of \(requests) go out without a \(what)",
                hint: ExpressionIssue.hints(ofSession ? "session: NAME" : "sign: NAME", optional))
        }
        let names = ofSession ? key.session.map { captureNames($0) } : variableNames(key.variables)
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
                "vars": Set(keys.flatMap { variableNames($0.variables) }),
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
