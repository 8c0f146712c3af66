import Expressions

/// Answers that are signed.
extension EnvelopePlan {
    /// Asks `verify` about the answer in the scope, as it came but for a content coding. Whoever asks does so before anything
    /// else is read of the answer, and reads nothing of one that is not the upstream's own.
    /// - Parameter limit: most bytes that a content coding may decode to.
    /// - Throws: it is not the upstream's own, or that cannot be told.
    package func verify(_ scope: ExchangeScope, limit: Int = ResponseView.loginLimit) throws(EnvelopeFault) {
        guard let verify else { return }
        let reason: String
        do {
            guard let response = scope.response else { throw EvaluationError.unavailable("there is no answer") }
            if let problem = response.undoCoding(limit: limit) { throw EvaluationError.unavailable(problem) }
            let value = try verify.evaluate(scope)
            if value.bool == true { return }
            reason = value.bool == nil ? "a value of type \(value.resolved.typeName.name), no bool" : "it is false"
        } catch {
            reason = "\(error)"
        }
        throw EnvelopeFault(part: .verify, reason: reason)
    }

    /// What is told instead of an answer that is not the upstream's own.
    package var forged: GatewayError {
        GatewayError(.badAnswer, detail: "the signature of the answer is wrong (envelope \(name))")
    }
}
