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
        if challengeAnswered(head) { return }
        if let scope { scope.cookies?.store(head.fields, scope.request, wall: scope.now.seconds) }
        if hasBody(head), route.inspects(head, hasCredential: mayRelogin) {
            stage = .inspecting
            inspected = []
            if let count = head.contentLength { inspected.reserveCapacity(Int(min(count, 65_536))) }
            return
        }
        if signatureRefused(head) { return }
        if let verdict = verdict(on: head, body: []), let session = route.session {
            return credentialRefused(session, verdict)
        }
        beginForwarding(head)
    }

    func transferReceived(_ bytes: Span<UInt8>) -> TransferFlow {
        guard let route else { return .proceed }
        switch stage {
        case .inspecting:
            inspected.append(copying: bytes)
            if inspected.count > route.plan.limits.inspect { inspectionOverflowed(route) }
            return answer.isPaused ? .pause : .proceed
        case .streaming: return forward(bytes)
        case .receiving, .parked, .sending, .finished: return .proceed
        }
    }

    func transferCompleted() {
        transfer = nil
        switch stage {
        case .inspecting: judge()
        case .streaming: endForwarding()
        case .receiving, .parked, .sending, .finished: break
        }
    }

    func transferFailed(_ failure: TransferFailure) {
        transfer = nil
        guard !isFinished, let route else { return }
        // The request body's own failure was answered already.
        if bodyGone { return }
        route.upstream.failed(failure, ticket.take())
        record.transportFailure = failure.kind
        if stage == .streaming { return breakForwarding() }
        if stage == .sending, worker.mayRetry(failure, self) {
            worker.metrics.retried(route.upstream)
            stage = .parked
            return proceed()
        }
        fail(route.upstream.error(for: failure))
    }

    /// RFC 9112 6.3: HEAD, 204 and 304 have none, whatever their fields say.
    private func hasBody(_ head: UpstreamHead) -> Bool {
        !isHead && head.status != 204 && head.status != 304
    }

    // MARK: Judging

    /// An expiry can be acted on: the request went out with a credential of a session that logs in.
    private var mayRelogin: Bool {
        route?.plan.relogin == true && credential != nil && route?.session?.plan.hasLogin == true
    }

    /// What an answer says about the credential; `nil`: nothing.
    private func verdict(on head: UpstreamHead, body: [UInt8]) -> CredentialVerdict? {
        guard mayRelogin, let route, let scope, let plan = route.session?.plan else { return nil }
        if scope.response == nil { scope.response = ResponseView(status: head.status, fields: head.fields, body: body) }
        // A predicate that errs (a field is missing, the body is no JSON) is false.
        if let taken = plan.taken, taken.when.holds(scope) { return .taken(taken.policy) }
        return plan.expired?.holds(scope) ?? (head.status == 401) ? .expired : nil
    }

    /// The whole answer is here: expired, or to be handed on.
    private func judge() {
        guard let route, let head = answerHead, let scope else { return }
        let view = ResponseView(status: head.status, fields: head.fields, body: inspected)
        scope.response = view
        do {
            try view.narrow(by: route.plan.envelope?.from, limit: Int(clamping: route.plan.limits.inspect))
        } catch {
            // Where answers pass as they are, one that cannot be read only hides its expiry.
            if route.rendersEnvelope { return fail(error) }
        }
        if signatureRefused(head) { return }
        if let verdict = verdict(on: head, body: inspected), let session = route.session {
            return credentialRefused(session, verdict)
        }
        deliverInspected()
    }

    private func credentialRefused(_ session: SessionBook, _ verdict: CredentialVerdict) {
        guard let rejected = credential else { return }
        record.sawExpiry = true
        let mayRenew = verdict != .expired || session.mayRenew(afterRejectionOf: rejected.generation)
        switch replays.credentialRefused(
            generation: rejected.generation, isReplayable: isReplayable, mayRenew: mayRenew)
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

    /// The answer is larger than what may be looked into: on an envelope route that is an error, elsewhere it streams.
    private func inspectionOverflowed(_ route: RouteRuntime) {
        worker.metrics.limitRefused(.inspect)
        guard !route.rendersEnvelope else {
            transfer?.cancel()
            transfer = nil
            return fail(
                GatewayError(
                    .badAnswer,
                    detail: "answer above the route's inspect limit of \(route.plan.limits.inspect) bytes"))
        }
        let sofar = inspected
        inspected = []
        beginForwarding(answerHead)
        _ = forward(sofar.span)
    }
}

/// What an answer says about the credential that the request went out with.
enum CredentialVerdict: Equatable {
    case expired
    case taken(TakenPlan.Policy)
}
