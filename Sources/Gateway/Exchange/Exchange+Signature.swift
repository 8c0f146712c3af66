import Bytes
import Domain
import Expressions
import HTTPWire
import Observability
import Redaction

/// What an answer says about the signature of its request.
extension Exchange {
    /// True when the request goes out again with another time: the answer is not for the client then.
    func isSignedAnew(_ judged: SignatureAnswer) -> Bool {
        guard let route, let scope else { return false }
        if !judged.echoes.isEmpty {
            let attached = route.answerGuard?.attached(credential, scope)
            for echo in judged.echoes {
                worker.signatureEchoed(echo, route.upstream, scope, attached: attached, id: worker.idText(id))
            }
        }
        guard let refusedTime = judged.refusedTime, !hasResigned, isReplayable else { return false }
        return signAnew(at: refusedTime, route)
    }

    private func signAnew(at time: Int64, _ route: RouteRuntime) -> Bool {
        guard worker.adoptRefusedClock(time, route.upstream) else { return false }
        hasResigned = true
        worker.metrics.replayed(route)
        discardAnswer()
        proceed()
        return true
    }
}

extension Worker {
    /// True: from now on signatures carry the upstream's time.
    func adoptRefusedClock(_ time: Int64, _ upstream: UpstreamHandle) -> Bool {
        let name = upstream.plan.name
        guard upstream.adoptClock(time) else {
            log.repeated(
                .warning, "clock refused, and the upstream's own time is out of bounds", about: Array(name.utf8),
                [.text("upstream", name)])
            return false
        }
        log.repeated(
            .info, "clock refused; signed again with the upstream's time", about: Array(name.utf8),
            [.text("upstream", name), .int("offset", upstream.clock.seconds)])
        return true
    }

    /// Tells where the string that the upstream signed first differs from ours. Both are redacted as a whole before any
    /// part of them is shown: of secrets, of what the session attached, and of what the recipe made of either.
    func signatureEchoed(
        _ echo: SignatureAnswer.Echo, _ upstream: UpstreamHandle, _ scope: ExchangeScope,
        attached: AttachedCredentials?, id: [UInt8]?
    ) {
        let redactor = sinks.redactor
        func known(_ text: Span<UInt8>) -> [Range<Int>] {
            redactor.ranges(in: text) + (attached?.ranges(in: text) ?? [])
        }
        let made = echo.plan.derived(scope, known)
        func masked(_ text: ArraySlice<UInt8>) -> [UInt8] {
            Redactor.masked(text.span, known(text.span) + made.ranges(in: text.span))
        }
        let (ours, theirs, name) = (masked(echo.ours), masked(echo.theirs), upstream.plan.name)
        let subject = Array("\(echo.plan.name) \(name)".utf8)
        guard let difference = EchoDifference(ours: ours, theirs: theirs) else {
            log.repeated(
                .warning, "upstream signed the same string: the key or the algorithm differs", about: subject,
                [.text("signature", echo.plan.name), .text("upstream", name)])
            return
        }
        var fields: [LogField] = [
            .text("signature", echo.plan.name), .text("upstream", name), .int("line", difference.line),
            .int("byte", difference.offset), .text("ours", difference.ours), .text("theirs", difference.theirs),
        ]
        if let id { fields.append(.text("id", id)) }
        log.repeated(.warning, "upstream signed another string", about: subject, fields)
    }
}
