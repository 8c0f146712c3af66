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
        let head = withoutTellingWords(head)
        answerHead = head
        record.upstreamStatus = head.status
        record.upstreamDuration += worker.loop.clock &- upstreamStarted
        route.upstream.answered(head, ticket.take(), sentAt: upstreamStarted)
        // Of an answer that may not be the upstream's own nothing but clock and breaker heard before that is known.
        if hasBody(head), !route.verifying.isEmpty { return inspect(head, route.wholeInspection) }
        guard isTaken(head, body: []) else { return }
        // An envelope is made of all of it anyway.
        if hasBody(head), route.renders(head) { return inspect(head, route.wholeInspection) }
        do throws(Undecided) {
            act(on: try meaning(of: head))
        } catch {
            guard let inspection = route.inspection(of: head) else { return judgeWithoutBody() }
            inspect(head, inspection)
        }
    }

    private func inspect(_ head: UpstreamHead, _ inspection: Inspection) {
        (stage, self.inspection) = (.inspecting, inspection)
        if let count = head.contentLength { inspected.reserveCapacity(Int(min(count, 65_536))) }
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
    func isTaken(_ head: UpstreamHead, body: [UInt8]) -> Bool {
        guard isGenuine(head, body: body), !challengeAnswered(head) else { return false }
        if let scope { worker.storeCookies(of: head.fields, scope, session: route?.sessionPlan?.name ?? "") }
        return true
    }

    /// RFC 9112 6.3: HEAD, 204 and 304 have none, whatever their fields say.
    private func hasBody(_ head: UpstreamHead) -> Bool {
        !isHead && head.status != 204 && head.status != 304
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
        // From here on as if nothing had been held.
        let sofar = inspected
        dropInspected()
        stage = .sending
        judgeWithoutBody()
        if stage == .streaming { _ = forward(sofar.span) }
    }
}
