import Bytes
import Domain
import HTTPWire
import LoopKit

/// What has been written of the answer.
struct AnswerState {
    var framing = ResponseHeadWriter.Framing.none
    var isBegun = false
    var isPaused = false
    var keepAlive = false
}

/// Step 11: writing to the client.
extension Exchange {
    // MARK: Streaming

    /// Hands on the upstream's head; the body follows as it comes. `refusal`: why it tells the client that its session is
    /// over, `nil` when it does not.
    func beginForwarding(_ head: UpstreamHead?, refusal: ReplayLedger.Reason? = nil) {
        guard let head else { return }
        stage = .streaming
        setOutcome(handingOn: refusal)
        // A HEAD must not tell of a body that the GET would not bring (RFC 9110 9.3.2), and how long ours would be nobody knows.
        if isHead, route?.renders(head) == true {
            return writeHead(
                status: head.status, reason: forwardedReason(head), fields: forwardedWithoutBody(head.fields),
                framing: .none)
        }
        writeHead(
            status: head.status, reason: forwardedReason(head), fields: forwarded(head.fields),
            framing: streamFraming(head))
    }

    /// RFC 9112 6.3: no body for HEAD, 204 and 304, though HEAD and 304 may say how long it would be.
    private func streamFraming(_ head: UpstreamHead) -> ResponseHeadWriter.Framing {
        if head.status == 204 || head.status < 200 { return .none }
        if let count = head.contentLength { return head.status == 304 ? .none : .length(count) }
        if head.status == 304 || isHead { return .none }
        return self.head?.isHTTP10 == true ? .close : .chunked
    }

    var isHead: Bool { head?.method == .head }

    func forward(_ bytes: Span<UInt8>) -> TransferFlow {
        guard bytes.count > 0, !isHead else { return .proceed }
        let flow: TransferFlow
        switch answer.framing {
        case .chunked:
            var chunk: [UInt8] = []
            chunk.reserveCapacity(bytes.count + 24)
            ChunkedEncoder.appendChunk(bytes, to: &chunk)
            flow = connection.send(chunk.span)
        case .length, .close: flow = connection.send(bytes)
        case .none: flow = .proceed
        }
        if flow == .pause { answer.isPaused = true }
        return flow
    }

    func endForwarding() {
        if answer.framing == .chunked {
            var last: [UInt8] = []
            ChunkedEncoder.appendLastChunk(to: &last)
            connection.send(last)
        }
        finish(keepAlive: answer.keepAlive)
    }

    /// The answer broke off: so must the client's, or half an answer would look whole.
    func breakForwarding() {
        record.outcome = .failed
        stage = .finished
        releaseHeld()
        route?.session?.exchangeEnded(id)
        endTicket()
        endTransfer()
        connection.exchange = nil
        if record.isAdmitted { worker.exchangeEnded() }
        worker.report(self)
        connection.abortAnswer()
    }

    // MARK: Whole answers

    /// Hands on an answer that was held back: as it is, or in the route's envelope.
    func deliverInspected(refusal: ReplayLedger.Reason? = nil) {
        guard let route, let head = answerHead, let scope else { return }
        setOutcome(handingOn: refusal)
        if route.renders(head), let rule = route.plan.envelope {
            do {
                let message = try MessageRenderer.render(
                    showingClient(scope), rule: rule, limit: Int(clamping: route.plan.limits.inspect))
                rendered(message)
                var fields = forwardedWithoutBody(head.fields)
                fields.append(name: FieldName.contentType, value: message.contentType)
                let reason = message.status == head.status ? forwardedReason(head) : nil
                return write(status: message.status, reason: reason, fields: fields, body: message.body)
            } catch {
                return fail(error)
            }
        }
        write(status: head.status, reason: forwardedReason(head), fields: forwarded(head.fields), body: inspected)
    }

    /// An answer that the gateway itself makes.
    func fail(_ error: GatewayError) {
        guard !isFinished else { return }
        record.error = error
        if answer.isBegun { return breakForwarding() }
        let response = ErrorResponse(error)
        if response.closesConnection { record.closesAfter = true }
        (record.outcome, record.handedOn) = (error.outcome, nil)
        let message = MessageRenderer.render(
            error, response, texts: runtime.texts, language: language, rule: route?.plan.envelope,
            scope: showingClient(scope ?? emptyScope))
        rendered(message)
        var fields = PairBlock()
        fields.append(name: FieldName.contentType, value: message.contentType)
        fields.append(name: FieldName.cacheControl, value: Array("no-store".utf8))
        fields.append(
            name: FieldName.proxyStatus.span, value: Array("countersign; error=\(response.proxyError)".utf8).span)
        if let seconds = response.retryAfter {
            var text: [UInt8] = []
            text.append(decimal: seconds)
            fields.append(name: FieldName.retryAfter, value: text)
        }
        if let allow = error.allow { fields.append(name: FieldName.allow, value: allow) }
        write(status: message.status, fields: fields, body: message.body)
    }

    /// What the envelope could not do is told once, where it is made.
    private func rendered(_ message: RenderedAnswer) {
        guard !message.faults.isEmpty, let route, let rule = route.plan.envelope else { return }
        record.gaveWay = message.gaveWay
        let spoken = rule.dialect ?? rule.from
        worker.envelopeErred(message.faults.filter { $0.part != .render }, rule.from, route)
        worker.envelopeErred(message.faults.filter { $0.part == .render }, spoken, route)
    }

    /// For a dialect that is rendered before anything was sent.
    private var emptyScope: ExchangeScope {
        ExchangeScope(request: LoginRun.emptyDraft, now: worker.loop.wall, surroundings: runtime.surroundings)
    }

    /// For dialects that tell a client something of its own request, such as the id of a call.
    private func showingClient(_ scope: ExchangeScope) -> ExchangeScope {
        if let route, let head, route.plan.envelope?.rendersRequest == true {
            scope.client = route.draft(of: head, content: content, remote: connection.remoteText)
        }
        return scope
    }

    func write(status: Int, reason: [UInt8]? = nil, fields: PairBlock, body: [UInt8]) {
        let hasBody = status != 204 && status != 304 && status >= 200
        writeHead(
            status: status, reason: reason, fields: fields, framing: hasBody ? .length(UInt64(body.count)) : .none)
        if hasBody, !isHead { connection.send(body) }
        finish(keepAlive: answer.keepAlive)
    }

    // MARK: Heads

    private func writeHead(
        status: Int, reason: [UInt8]?, fields: PairBlock, framing: ResponseHeadWriter.Framing
    ) {
        answer.isBegun = true
        answer.framing = framing
        answer.keepAlive =
            head?.keepAlive == true && !record.closesAfter && !worker.isDraining && isBodyComplete
            && framing != .close && !connection.listener.isClosed
        if answer.keepAlive, connection.requestCount >= runtime.plan.limits.requestsPerConnection {
            worker.metrics.limitRefused(.requestsPerConnection)
            answer.keepAlive = false
        }
        record.status = status
        let date = worker.date
        var bytes: [UInt8] = []
        // Room for a small body too, so that it joins the head without a second buffer.
        var room = 256 + fields.bytes.count
        if case .length(let count) = framing, count < 16_384 { room += Int(count) }
        bytes.reserveCapacity(room)
        ResponseHeadWriter.append(
            status: status, reason: reason, fields: fields, framing: framing, keepAlive: answer.keepAlive,
            isHTTP10: head?.isHTTP10 ?? false, date: date.span, to: &bytes, appendOwn: appendOwnFields)
        connection.send(owning: &bytes)
    }

    /// Straight into the head: through the upstream's `PairBlock` they would copy it.
    private func appendOwnFields(_ output: inout [UInt8]) {
        let id = worker.idText(id)
        ResponseHeadWriter.appendField(FieldName.requestID, value: id.span, to: &output)
        let outcome = record.outcome.bytes
        ResponseHeadWriter.appendField(FieldName.outcome, value: outcome.span, to: &output)
        if let reason = record.handedOn {
            reason.word.withSpan { ResponseHeadWriter.appendField(FieldName.replay, value: $0, to: &output) }
        }
        if let reason = record.notRetried {
            reason.word.withSpan { ResponseHeadWriter.appendField(FieldName.retry, value: $0, to: &output) }
        }
        if record.gaveWay { ResponseHeadWriter.appendField(FieldName.envelope, value: Self.standard.span, to: &output) }
        appendOriginFields(&output)
    }

    private static let standard = Array("standard".utf8)

    private func setOutcome(handingOn refusal: ReplayLedger.Reason?) {
        record.outcome = refusal == nil && isReplay ? .relogin : .forwarded
        record.handedOn = refusal
    }
}

/// Names of the fields that the gateway writes.
enum FieldName {
    static let contentType = Array("Content-Type".utf8)
    static let cacheControl = Array("Cache-Control".utf8)
    static let proxyStatus = Array("Proxy-Status".utf8)
    static let retryAfter = Array("Retry-After".utf8)
    static let upstreamRequestID = Array("Upstream-Request-Id".utf8)
    static let allow = Array("Allow".utf8)
    static let requestID: StaticString = "X-Request-Id"
    static let outcome: StaticString = "Countersign-Outcome"
    static let replay: StaticString = "Countersign-Replay"
    static let retry: StaticString = "Countersign-Retry"
    static let envelope: StaticString = "Countersign-Envelope"
}
