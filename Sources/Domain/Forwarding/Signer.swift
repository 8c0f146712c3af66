import Bytes
import Expressions

/// Evaluates a signature recipe over the request as it stands and attaches the result. The last edit before the wire: what
/// is signed is what is sent.
package enum Signer {
    /// One after the other: a later recipe sees, and may sign, what an earlier one attached (a body digest, a date).
    package static func sign(
        _ draft: RequestDraft, with plans: [SignaturePlan], _ scope: ExchangeScope
    ) throws(GatewayError) {
        for plan in plans { try sign(draft, with: plan, scope) }
    }

    private static func sign(
        _ draft: RequestDraft, with plan: SignaturePlan, _ scope: ExchangeScope
    ) throws(GatewayError) {
        // Also of one that is skipped: an envelope must not take the variables of another for its own.
        scope.variables.removeAll()
        if let skip = plan.skip, skip.holds(scope) {
            scope.trace?.skipsSignature = true
            return
        }
        for variable in plan.variables {
            do {
                let value = try variable.value.evaluate(scope)
                scope.variables.append(value)
                scope.trace?.computed(variable.name, value)
            } catch {
                throw GatewayError.recipe(
                    "signature \(plan.name), variable \(variable.name)", error, using: variable.value.references)
            }
        }
        scope.builtInTexts = []
        for signer in plan.builtIns { try signer.sign(draft, scope, recipe: plan.title) }
        if plan.echo != nil { scope.signed[plan.name] = scope.variables.values + scope.builtInTexts }
        try Attacher.attach(plan.attach, to: draft, scope, recipe: plan.title)
    }
}
