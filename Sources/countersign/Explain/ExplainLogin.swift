import Domain
import Expressions
import Redaction

/// `explain CONFIG --login SESSION`: each request that a session would log in and refresh with.
struct ExplainLogin {
    let plan: GatewayPlan
    let recorder: CallRecorder
    let mask: SecretMask
    let asJSON: Bool

    /// A digest that a secret went into, as a password often goes, is as good as the password at that upstream.
    private func hideDerived(_ computed: [AssemblyTrace.Computed]) {
        for item in computed where item.recipe == AssemblyTrace.field || item.recipe == AssemblyTrace.step {
            guard item.calls.contains(where: { mask($0.message) != $0.message }) else { continue }
            // JSON text has quotes around it.
            let value = item.value.first == 0x22 ? Array(item.value.dropFirst().dropLast()) : item.value
            mask.add(value)
        }
    }

    func run(_ name: String, _ input: ExplainInput) -> Int32 {
        guard let session = plan.sessions.first(where: { $0.name == name }) else {
            let known = plan.sessions.map(\.name).joined(separator: ", ")
            Output.error(
                "countersign explain: there is no session \(name) (sessions: \(known.isEmpty ? "none" : known))\n")
            return 1
        }
        if let unknown = input.session.first(where: { !session.captureNames.contains($0.name) }) {
            let known = session.captureNames.isEmpty ? "none" : session.captureNames.joined(separator: ", ")
            Output.error(
                "countersign explain: --session \(unknown.name): session \(name) has no such capture (it has: \(known))\n"
            )
            return 1
        }
        let explanation = LoginExplainer(plan: plan, recorder: recorder, trail: mask.trail).explain(session, input)
        // A key that a recipe derives is a secret that the config does not name.
        for key in explanation.steps.flatMap(\.keys) { mask.add(key) }
        for step in explanation.steps {
            hideDerived(step.computed)
            // A shorter one would hide every other "1"; where it stands by itself it is hidden in any case.
            for value in step.answer?.captured ?? [] where value.count >= Redactor.minimumLength { mask.add(value) }
        }
        let names = explanation.steps.map(\.name)
        guard input.answer == nil || input.step.map(names.contains) ?? (names.count == 1) else {
            let remedy =
                names.isEmpty ? "session \(name) has no step" : "say for which: \(names.joined(separator: ", "))"
            Output.error("countersign explain: --step: \(remedy)\n")
            return 1
        }
        Output.write(
            asJSON ? LoginExplanationJSON.bytes(explanation, mask) : LoginExplanationText.bytes(explanation, mask))
        return explanation.isRefused ? 1 : 0
    }
}
