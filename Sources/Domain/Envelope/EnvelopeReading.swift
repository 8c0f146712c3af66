import Expressions

/// What the `unwrap` steps and `open` of one envelope have made of an answer.
struct EnvelopeReading {
    let plan: EnvelopePlan
    /// Why it cannot be read; `nil`: the view is what they leave.
    var problem: String?
    /// `open` errs.
    var fault: EnvelopeFault?
}

extension ResponseView {
    /// Unwraps and opens the answer as the envelope says, unless that is how it was read last.
    func read(by plan: EnvelopePlan, _ scope: ExchangeScope, limit: Int) -> EnvelopeReading {
        if let reading, reading.plan === plan { return reading }
        var fresh = EnvelopeReading(plan: plan)
        do {
            try narrow(by: plan, limit: limit)
            do {
                if let content = try plan.open?.evaluate(scope) { open(content) }
            } catch {
                fresh.fault = EnvelopeFault(part: .open, reason: "\(error)")
                fresh.problem = "the answer cannot be opened: \(error)"
            }
        } catch {
            fresh.problem = error.detail
        }
        reading = fresh
        return fresh
    }
}

extension EnvelopePlan {
    /// From now on the answer in the scope is what the envelope leaves of it: for tests and captures of a session that
    /// names one. One that cannot be read has no body to them; one without a body is as it came.
    /// - Returns: what `open` errs with.
    package func open(_ scope: ExchangeScope, limit: Int = ResponseView.loginLimit) -> EnvelopeFault? {
        guard let response = scope.response, !response.isBlank else { return nil }
        let reading = response.read(by: self, scope, limit: limit)
        if let problem = reading.problem { response.close(problem) }
        return reading.fault
    }
}
