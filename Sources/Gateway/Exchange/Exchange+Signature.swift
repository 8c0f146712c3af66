import Bytes
import Domain
import Expressions
import HTTPWire
import Observability

/// What an answer says about the signature of its request.
extension Exchange {
    /// True when the request was signed anew and goes out again: the answer is not for the client then.
    func signatureRefused(_ head: UpstreamHead) -> Bool {
        guard let route, let scope, route.readsSignatureAnswers else { return false }
        if scope.response == nil { scope.response = ResponseView(status: head.status, fields: head.fields, body: []) }
        var refusedTime: Int64?
        for signature in route.plan.signatures {
            if let echo = signature.echo { compare(echo, signature, scope, route) }
            if refusedTime == nil, let test = signature.clockRefused {
                refusedTime = ClockRefusal.upstreamTime(told: test, scope, head.fields)
            }
        }
        guard let refusedTime, !hasResigned, isReplayable else { return false }
        return signAnew(at: refusedTime, route)
    }

    private func signAnew(at time: Int64, _ route: RouteRuntime) -> Bool {
        guard route.upstream.adoptClock(time) else {
            worker.log.repeated(
                .warning, "clock refused, and the upstream's own time is out of bounds",
                about: Array(route.upstream.plan.name.utf8), [.text("upstream", route.upstream.plan.name)])
            return false
        }
        worker.log.repeated(
            .info, "clock refused; signed again with the upstream's time",
            about: Array(route.upstream.plan.name.utf8),
            [.text("upstream", route.upstream.plan.name), .int("offset", route.upstream.clock.seconds)])
        hasResigned = true
        worker.metrics.replayed(route)
        dropTransfer()
        scope?.response = nil
        stage = .parked
        proceed()
        return true
    }

    /// Tells where the string that the upstream signed first differs from ours. Both are redacted as a whole before any
    /// part of them is shown.
    private func compare(
        _ echo: Expression, _ signature: SignaturePlan, _ scope: ExchangeScope, _ route: RouteRuntime
    ) {
        guard let theirs = try? echo.evaluate(scope).contents, !theirs.isEmpty,
            let ours = EchoDifference.nearest(to: theirs, among: scope.signed[signature.name] ?? [])
        else { return }
        let redactor = worker.sinks.redactor
        let safe = (redactor.redact(ours.span) ?? Array(ours), redactor.redact(theirs.span) ?? Array(theirs))
        let subject = Array("\(signature.name) \(route.upstream.plan.name)".utf8)
        guard let difference = EchoDifference(ours: safe.0, theirs: safe.1) else {
            worker.log.repeated(
                .warning, "upstream signed the same string: the key or the algorithm differs", about: subject,
                [.text("signature", signature.name), .text("upstream", route.upstream.plan.name)])
            return
        }
        worker.log.repeated(
            .warning, "upstream signed another string", about: subject,
            [
                .text("signature", signature.name), .text("upstream", route.upstream.plan.name),
                .int("line", difference.line), .int("byte", difference.offset), .text("ours", difference.ours),
                .text("theirs", difference.theirs), .text("id", worker.idText(id)),
            ])
    }
}
