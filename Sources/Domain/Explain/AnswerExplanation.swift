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

    var head: UpstreamHead {
        var pairs = PairBlock()
        for field in fields { pairs.append(name: Array(field.name.utf8), value: Array(field.value.utf8)) }
        return UpstreamHead(
            status: status, fields: pairs, contentLength: nil, reason: reason.map { Array($0.utf8) })
    }
}

/// What would become of one answer: what each expression over it says, and what the client gets, or the login. Holds values
/// in the clear: whoever prints it masks them.
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
        /// The value is a session's: hide it whole.
        package var isSecret = false
    }
    package private(set) var steps: [Step] = []
    /// What is told anew; `nil`: the answer passes as it is, or is no answer of the envelope.
    package private(set) var told: RenderedAnswer?
    /// What the gateway would say instead.
    package private(set) var refusal: GatewayError?
    /// What becomes of the login; `nil`: the answer is none to a login.
    package private(set) var verdict: LoginRun.Verdict?
    /// Texts that the answer brought to a login.
    package private(set) var captured: [[UInt8]] = []

    /// - Parameter scope: that of the finished request; it gets the answer.
    init(_ answer: SampleAnswer, _ route: RoutePlan, _ session: SessionPlan?, _ scope: ExchangeScope) {
        let view = ResponseView(answer.head, to: scope.request, body: answer.body)
        scope.response = view
        let limit = Int(clamping: route.limits.inspect)
        for envelope in route.verifying where refusal == nil { verify(envelope, scope, limit) }
        guard refusal == nil else { return }
        if let envelope = route.sessionEnvelope {
            if envelope !== route.envelope?.from, !view.isBlank { ask("open", of: envelope, view, scope, limit) }
            _ = envelope.open(scope, limit: limit)
        } else {
            // As in the gateway: what cannot be decoded only hides its expiry.
            try? view.decode(for: route.envelope?.from, limit: limit)
        }
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
        guard let rule = route.envelope, rule.tells(status: answer.status, fields: view.fields) else { return }
        if !view.isBlank { ask("open", of: rule.from, view, scope, limit) }
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
        for fault in told?.faults ?? [] where fault.part == .render || fault.part == .status {
            let field = rule.dialect?.render.first { $0.name == Array((fault.field ?? "").utf8) }
            steps.append(Step(name: fault.name, source: field?.value.source ?? rule.statusSource, error: fault.reason))
        }
    }

    private mutating func verify(_ envelope: EnvelopePlan, _ scope: ExchangeScope, _ limit: Int) {
        var step = Step(name: "verify", source: envelope.verify?.source ?? "", value: Array("true".utf8))
        do {
            try envelope.verify(scope, limit: limit)
        } catch {
            (step.value, step.error, refusal) = (nil, error.reason, envelope.forged)
        }
        steps.append(step)
    }

    /// Over what the `unwrap` steps of the envelope leave.
    private mutating func ask(
        _ name: String, of envelope: EnvelopePlan, _ view: ResponseView, _ scope: ExchangeScope, _ limit: Int
    ) {
        guard let open = envelope.open, (try? view.narrow(by: envelope, limit: limit)) != nil else { return }
        view.reading = nil
        ask(name, open, scope)
    }

    /// An answer to a step of a login. `run`: stands at that step.
    init(_ answer: SampleAnswer, _ step: LoginStep, _ run: LoginRun, _ scope: ExchangeScope) {
        let view = ResponseView(answer.head, to: scope.request, body: answer.body)
        (scope.response, scope.session) = (view, run.captures)
        if let envelope = step.envelope {
            if envelope.verify != nil { verify(envelope, scope, ResponseView.loginLimit) }
            guard refusal == nil else { return }
            if !view.isBlank { ask("open", of: envelope, view, scope, ResponseView.loginLimit) }
            // There may be more in it than what is captured.
            for index in steps.indices where steps[index].name == "open" { steps[index].isSecret = true }
            _ = envelope.open(scope)
        } else {
            // What cannot be decoded is told by the verdict.
            try? view.decode()
        }
        ask("pending", step.poll?.pending, scope)
        ask("slower", step.poll?.slower, scope)
        ask("refused", step.refused, scope)
        ask("success", step.success, scope)
        ask("retry_after", step.retryAfter, scope)
        for capture in step.captures {
            let name = run.plan.captureNames[capture.slot]
            ask("session.\(name)", capture.value, scope)
            steps[steps.count - 1].isSecret = !CredentialExpiry.isSpecial(name)
        }
        var run = run
        verdict = run.answered(answer.head, body: answer.body, scope, wall: scope.now.seconds)
        captured = step.captures.filter { !CredentialExpiry.isSpecial(run.plan.captureNames[$0.slot]) }
            .compactMap { run.captures.values[$0.slot].contents.map { Array($0) } }
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
