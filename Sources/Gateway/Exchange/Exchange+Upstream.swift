import Bytes
import Domain
import Expressions
import HTTPWire
import LoopKit

/// Steps 9 to 11: the transfer's events, and what they mean.
extension Exchange {
    func transferNeedsBody(into buffer: inout [UInt8], limit: Int) -> BodySupply {
        if bodyGone { return .abort }
        if framing != nil { return supplyFramed(into: &buffer, limit: limit) }
        guard !waiting.isEmpty else { return isBodyComplete ? .end : .wait }
        let count = min(limit, waiting.count)
        buffer.append(contentsOf: waiting.slice.prefix(count))
        waiting.consume(count)
        if waiting.count < Watermark.low { connection.resumeBody() }
        return waiting.isEmpty && isBodyComplete ? .end : .more
    }

    /// What waits goes into the frame as a whole; the frame's output goes on as the transport takes it.
    private func supplyFramed(into buffer: inout [UInt8], limit: Int) -> BodySupply {
        if framing?.isDry == true {
            framing?.take(waiting.slice, isLast: isBodyComplete)
            waiting.removeAll()
            connection.resumeBody()
        }
        return framing?.supply(into: &buffer, limit: limit) ?? .abort
    }

    func transferReceivedHead(_ head: UpstreamHead) {
        guard let route, !isFinished else { return }
        answerHead = head
        record.upstreamStatus = head.status
        record.upstreamDuration += worker.loop.clock &- upstreamStarted
        route.upstream.answered(head, ticket.take(), sentAt: upstreamStarted)
        // Of an answer that may not be the upstream's own nothing is read before that is known.
        if route.verifying.isEmpty || !hasBody(head), !isTaken(head, body: []) { return }
        if hasBody(head),
            let inspection = route.inspection(of: head, hasCredential: credential != nil, mayRelogin: mayRelogin)
        {
            (stage, self.inspection) = (.inspecting, inspection)
            if let count = head.contentLength { inspected.reserveCapacity(Int(min(count, 65_536))) }
            return
        }
        let verdict = verdict(on: head, body: [])
        if verdict == nil { absorb(head, hasBody: false) }
        if signatureRefused(head) { return }
        if let verdict, let session = route.session { return credentialRefused(session, verdict) }
        beginForwarding(head)
    }

    func transferReceived(_ bytes: Span<UInt8>) -> TransferFlow {
        guard let route else { return .proceed }
        switch stage {
        case .inspecting:
            inspected.append(copying: bytes)
            if inspected.count > inspection.limit || inspection.isRefuted(by: inspected) {
                // That a file is larger than what is looked into of files is no limit met.
                inspectionOverflowed(route, inspection.asksForDocument ? nil : .inspect)
            } else if !worker.mayHold(UInt64(bytes.count)) {
                inspectionOverflowed(route, .held)
            } else {
                hold(bytes.count)
            }
            return answer.isPaused ? .pause : .proceed
        case .streaming: return forward(bytes)
        case .receiving, .parked, .sending, .finished: return .proceed
        }
    }

    func transferCompleted() {
        endTransfer()
        switch stage {
        case .inspecting: judge()
        case .streaming: endForwarding()
        case .receiving, .parked, .sending, .finished: break
        }
    }

    func transferFailed(_ failure: TransferFailure) {
        endTransfer()
        guard !isFinished, let route else { return }
        // The request body's own failure was answered already.
        if bodyGone { return }
        route.upstream.failed(failure, ticket.take())
        record.transportFailure = failure.kind
        if stage == .streaming { return breakForwarding() }
        if stage == .sending, let head {
            switch worker.retryVerdict(failure, self, head, route.upstream) {
            case .retry:
                worker.metrics.retried(route.upstream)
                stage = .parked
                return proceed()
            case .giveUp(let reason): record.notRetried = reason
            }
        }
        fail(route.upstream.error(for: failure))
    }

    /// What every answer goes through before it is looked into; false: it is none for the client, nor for the session.
    private func isTaken(_ head: UpstreamHead, body: [UInt8]) -> Bool {
        guard isGenuine(head, body: body), !challengeAnswered(head) else { return false }
        if let scope { worker.storeCookies(of: head.fields, scope, session: route?.sessionPlan?.name ?? "") }
        return true
    }

    /// RFC 9112 6.3: HEAD, 204 and 304 have none, whatever their fields say.
    private func hasBody(_ head: UpstreamHead) -> Bool {
        !isHead && head.status != 204 && head.status != 304
    }

    // MARK: Judging

    /// An expiry can be acted on: the request went out with a credential of a session that logs in.
    private var mayRelogin: Bool {
        route?.plan.relogin == true && credential != nil && route?.sessionPlan?.hasLogin == true
    }

    /// What an answer says about the credential; `nil`: nothing.
    private func verdict(on head: UpstreamHead, body: [UInt8]) -> CredentialVerdict? {
        guard mayRelogin, let scope, let plan = route?.sessionPlan else { return nil }
        if scope.response == nil { scope.response = ResponseView(status: head.status, fields: head.fields, body: body) }
        return plan.verdict(on: head.status, scope)
    }

    /// An answer that is no refusal of the credential may bring a new one.
    private func absorb(_ head: UpstreamHead, hasBody: Bool) {
        guard let route, let session = route.session, let plan = route.sessionPlan, let credential, let scope,
            plan.hasLogin || plan.update != nil
        else { return }
        if scope.response == nil { scope.response = ResponseView(status: head.status, fields: head.fields, body: []) }
        // Where nobody acts on an expiry (`relogin: false`), it was not judged yet.
        guard mayRelogin || isNoRefusal(plan, scope, hasBody: hasBody) else { return }
        session.served(credential.generation)
        guard
            let brought = plan.update?.evaluate(
                scope, hasBody: hasBody, wall: worker.loop.wall.seconds, ahead: route.upstream.clock.seconds)
        else { return }
        absorbed = brought.changes.compactMap { $0.value.value.contents.map { Array($0) } }
        session.absorb(brought, sentUnder: credential.generation, order: sendOrder)
    }

    private func isNoRefusal(_ plan: SessionPlan, _ scope: ExchangeScope, hasBody: Bool) -> Bool {
        guard hasBody || !plan.expiredReadsBody else { return false }
        return plan.expired?.holds(scope) != true && plan.taken?.when.holds(scope) != true
    }

    /// The whole answer is here: expired, or to be handed on.
    private func judge() {
        guard let route, let head = answerHead, let scope else { return }
        if !route.verifying.isEmpty, !isTaken(head, body: inspected) { return }
        let view = ResponseView(status: head.status, fields: head.fields, body: inspected)
        scope.response = view
        if route.testsBody(hasCredential: credential != nil, mayRelogin: mayRelogin) { decode(view, route, scope) }
        let verdict = verdict(on: head, body: inspected)
        if verdict == nil { absorb(head, hasBody: true) }
        if signatureRefused(head) { return }
        if let verdict, let session = route.session { return credentialRefused(session, verdict) }
        deliverInspected()
    }

    /// For the tests of the session and of the signatures.
    private func decode(_ view: ResponseView, _ route: RouteRuntime, _ scope: ExchangeScope) {
        let limit = Int(clamping: route.plan.limits.inspect)
        guard let envelope = route.plan.sessionEnvelope else {
            // An answer that cannot be decoded only hides its expiry; an envelope says so itself.
            try? view.decode(for: route.plan.envelope?.from, limit: limit)
            return
        }
        if let fault = envelope.open(scope, limit: limit) { worker.envelopeErred([fault], envelope, route) }
    }

    private func credentialRefused(_ session: SessionBook, _ verdict: CredentialVerdict) {
        guard let rejected = credential else { return }
        record.sawExpiry = true
        let objection = verdict == .expired ? session.objection(toRenewalAfter: rejected.generation) : nil
        switch replays.credentialRefused(
            generation: rejected.generation, isReplayable: isReplayable, objection: objection)
        {
        case .replay:
            if let route { worker.metrics.replayed(route) }
            replay(after: verdict, session, rejected)
        case .passOn(let reason):
            // The next one must not meet a dead session. After three refusals in a row it is rather the call.
            if reason == .bodyTooLarge || verdict != .expired {
                session.note(verdict, rejected.generation, by: self, id: id)
            }
            stage == .inspecting
                ? deliverInspected(refusal: reason) : beginForwarding(answerHead, refusal: reason)
        }
    }

    /// The request can be made again: its body is still here.
    var isReplayable: Bool {
        if case .held = bodyMode { return true }
        return head?.framing == BodyFraming.none
    }

    /// The answer is larger than what may be looked into: where an envelope is made of it that is an error, elsewhere it
    /// streams.
    private func inspectionOverflowed(_ route: RouteRuntime, _ limit: LimitName?) {
        if let limit { worker.metrics.limitRefused(limit) }
        guard let answerHead else { return }
        guard !route.mustHoldWhole(answerHead) else {
            dropTransfer()
            let error =
                limit == .held
                // Told as it is: this was not refused before the upstream did what it was asked.
                ? GatewayError(.overloaded, detail: "the upstream has answered, but limits.held has no room for it")
                : GatewayError(
                    .badAnswer,
                    detail: "answer above the route's inspect limit of \(route.plan.limits.inspect) bytes")
            return fail(error)
        }
        absorb(answerHead, hasBody: false)
        let sofar = inspected
        dropInspected()
        beginForwarding(answerHead)
        _ = forward(sofar.span)
    }
}
