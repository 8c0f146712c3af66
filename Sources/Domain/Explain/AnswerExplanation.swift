import Bytes
import Expressions

/// An answer that `explain` is asked about, as the upstream would send it.
package struct SampleAnswer {
    package var status = 200
    /// Behind the status; `nil`: the usual one.
    package var reason: String?
    /// In order.
    package var fields: [(name: String, value: String)] = []
    package var body: [UInt8]

    package init(body: [UInt8]) { self.body = body }
}

/// What would become of one answer: what each expression over it says, and what the client gets. Holds values in the clear:
/// whoever prints it masks them.
package struct AnswerExplanation {
    /// One expression, in the order in which they are asked.
    package struct Step {
        /// As in the config: `expired`, `ok`, ...
        package var name: String
        /// The expression as written.
        package var source: String
        /// As JSON; `nil`: it errs.
        package var value: [UInt8]?
        /// Why it errs.
        package var error: String?
    }
    package private(set) var steps: [Step] = []
    /// What is told anew; `nil`: the answer passes as it is, or is no answer of the envelope.
    package private(set) var told: RenderedAnswer?
    /// What the gateway would say instead.
    package private(set) var refusal: GatewayError?

    /// - Parameter scope: that of the finished request; it gets the answer.
    init(_ answer: SampleAnswer, _ route: RoutePlan, _ session: SessionPlan?, _ scope: ExchangeScope) {
        var fields = PairBlock()
        for field in answer.fields { fields.append(name: Array(field.name.utf8), value: Array(field.value.utf8)) }
        let head = UpstreamHead(
            status: answer.status, fields: fields, contentLength: nil, reason: answer.reason.map { Array($0.utf8) })
        let view = ResponseView(head, to: scope.request, body: answer.body)
        scope.response = view
        let limit = Int(clamping: route.limits.inspect)
        // As in the gateway: what cannot be decoded only hides its expiry.
        try? view.decode(for: route.envelope?.from, limit: limit)
        if let session {
            ask("taken", session.taken?.when, scope)
            if let expired = session.expired {
                ask("expired", expired, scope)
            } else if session.hasLogin {
                let value = Array((answer.status == 401 ? "true" : "false").utf8)
                steps.append(Step(name: "expired", source: "status == 401", value: value))
            }
            for capture in session.update?.captures ?? [] {
                ask("update.\(session.captureNames[capture.slot])", capture.value, scope)
            }
        }
        for signature in route.signatures { ask("clock_refused of \(signature.name)", signature.clockRefused, scope) }
        guard let rule = route.envelope, rule.tells(status: answer.status, fields: fields) else { return }
        do {
            told = try MessageRenderer.render(scope, rule: rule, limit: limit)
        } catch {
            refusal = error
        }
        // The view is what `unwrap` and `open` have left of it by now.
        ask("ok", rule.from.ok, scope)
        ask("code", rule.from.code, scope)
        ask("message", rule.from.message, scope)
        ask("data", rule.from.data, scope)
    }

    private mutating func ask(_ name: String, _ expression: Expression?, _ scope: ExchangeScope) {
        guard let expression else { return }
        var step = Step(name: name, source: expression.source)
        do {
            var text: [UInt8] = []
            try expression.evaluate(scope).appendJSON(to: &text)
            step.value = text
        } catch {
            step.error = "\(error)"
        }
        steps.append(step)
    }
}
