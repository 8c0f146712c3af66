import Domain

extension PlanBuilder {
    private static let ownTargets = ["standard", "problem", "same"]

    func envelope(_ named: Named<RawEnvelope>) -> EnvelopePlan {
        if PlanBuilder.ownTargets.contains(named.name) {
            named.reportName("\(named.name) has a meaning of its own", hint: "choose another name")
        }
        let raw = named.value
        checkSteps(raw.unwrap, named)
        let (answer, message) = (scopes.response(), scopes.render())
        let render = raw.render.compactMap { field in
            compiler.template(field.value, in: message).map {
                EnvelopePlan.RenderField(key: Array(field.name.utf8), value: $0)
            }
        }
        return EnvelopePlan(
            name: named.name, unwrap: raw.unwrap,
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

    func envelopeRule(_ placed: Placed<RawEnvelopeRule>) -> EnvelopeRule? {
        let raw = placed.value
        let from = raw.from.flatMap { resolve($0, among: self.raw.envelopes, what: "envelope") }
        let target = raw.target.map { self.target($0) } ?? .standard
        guard let from, let target, let plan = envelopePlans[self.raw.envelopes[from].name] else { return nil }
        return EnvelopeRule(from: plan, target: target, status: raw.status)
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
