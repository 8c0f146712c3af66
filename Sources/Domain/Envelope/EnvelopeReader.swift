package import Expressions

/// Reads an upstream's envelope: what the declared expressions find, verbatim. Each is taken by itself: a field that is
/// missing makes that part absent, not the answer an error.
package enum EnvelopeReader {
    /// `context` shows the answer (its body narrowed to the JSON). Without an `ok` expression the status decides; one that
    /// errs is false.
    package static func read(
        _ plan: EnvelopePlan, _ context: any EvaluationContext, status: Int
    ) -> RenderedMessage {
        let ok = plan.ok.map { (try? $0.evaluate(context))?.bool == true } ?? (200..<300 ~= status)
        return RenderedMessage(
            ok: ok, code: value(of: plan.code, context), message: value(of: plan.message, context),
            data: value(of: plan.data, context), status: status)
    }

    private static func value(of expression: Expression?, _ context: any EvaluationContext) -> Value {
        guard let expression, let value = try? expression.evaluate(context) else { return .null }
        if case .optional(let inner) = value { return inner ?? .null }
        return value
    }
}
