import Bytes
import Domain
import HTTPWire
import LoopKit

/// One downstream connection: reads heads and bodies, hands them to one exchange at a time, writes its answer.
/// Lives on the loop. Holds no buffer while idle. Everything written in one tick leaves in one system call.
final class Connection: ByteSocketDelegate {
    /// What the connection is doing. `idle` -> `head` -> `exchange` -> `idle` | `lingering` -> closed.
    enum Phase { case idle, head, exchange, lingering, closed }

    unowned let worker: Worker
    let socket: ByteSocket
    let peer: PeerAddress
    let listener: Listener
    var role: ListenerRole { listener.role }
    /// Order of acceptance; the worker's key.
    let number: UInt64
    private(set) var phase = Phase.idle
    var input = ByteQueue()
    var output = ByteQueue()
    var exchange: Exchange?
    var body = RequestBodyReader(framing: .none, limits: WireLimits())
    private(set) var requestCount = 0
    private var idleSince: UInt64 = 0
    private var parser: RequestHeadParser
    private var isReadPaused = false
    private var isProcessing = false
    private(set) var closesAfterOutput = false
    private var lingered = 0
    var isDirty = false
    var deadlines: ConnectionDeadlines

    init(worker: Worker, descriptor: Int32, peer: PeerAddress, listener: Listener, number: UInt64) {
        self.worker = worker
        self.peer = peer
        self.listener = listener
        self.number = number
        socket = ByteSocket(loop: worker.loop, owning: descriptor)
        deadlines = ConnectionDeadlines(limits: worker.runtime.plan.limits)
        parser = RequestHeadParser(limits: worker.runtime.wireLimits)
    }

    /// Starts reading. Apart from `init`, because the timer and the socket call back.
    func open() {
        socket.delegate = self
        deadlines.start(loop: worker.loop) { [unowned self] in deadlinePassed() }
        becomeIdle()
        socket.watchReads(true)
    }

    private func becomeIdle() {
        idleSince = worker.loop.now
        deadlines.idle()
    }

    /// Nothing of a request has come and everything of the last answer has gone.
    var isIdle: Bool { phase == .idle && input.isEmpty && output.isEmpty }

    /// Which of two idle connections is given up first: one that never brought a request, then the one idle for longer.
    func isLessUseful(than other: Connection) -> Bool {
        if (requestCount == 0) != (other.requestCount == 0) { return requestCount == 0 }
        return idleSince == other.idleSince ? number < other.number : idleSince < other.idleSince
    }

    // MARK: Reading

    func socketReadable() {
        guard phase != .closed else { return }
        let outcome = socket.read { received($0) }
        switch outcome {
        case .read, .blocked: break
        case .ended: inputEnded()
        case .failed: abandon()
        }
    }

    private func received(_ bytes: Span<UInt8>) {
        if phase == .lingering { return discard(bytes.count) }
        guard input.isEmpty, !isProcessing else {
            input.append(bytes)
            return process()
        }
        isProcessing = true
        let used = consume(bytes)
        isProcessing = false
        if used < bytes.count, phase != .closed, phase != .lingering {
            input.append(bytes.extracting(used..<bytes.count))
        }
        limitInput()
    }

    /// Works off what waits in `input`: after an exchange, after a pause.
    func process() {
        guard !isProcessing else { return }
        while !input.isEmpty, phase != .closed, phase != .lingering {
            isProcessing = true
            let waiting = input.slice
            let used = consume(waiting.span)
            isProcessing = false
            if used == 0 { break }
            input.consume(used)
        }
        limitInput()
    }

    /// Takes as many bytes as the phase can use; returns how many.
    private func consume(_ bytes: Span<UInt8>) -> Int {
        var used = 0
        while used < bytes.count {
            let rest = bytes.extracting(used..<bytes.count)
            let step: Int
            switch phase {
            case .idle, .head: step = takeHead(rest)
            case .exchange: step = takeBody(rest)
            case .lingering, .closed: return bytes.count
            }
            if step == 0 { break }
            used += step
        }
        return used
    }

    private func takeHead(_ bytes: Span<UInt8>) -> Int {
        switch parser.parse(bytes) {
        case .incomplete:
            if phase == .idle, !parser.isIdle {
                phase = .head
                deadlines.headStarted()
            }
            return 0
        case .refused(let refusal):
            worker.metrics.wireRefused(refusal)
            refuse(GatewayError(refusal), head: bytes)
            return bytes.count
        case .complete(let head, let consumed):
            parser = RequestHeadParser(limits: worker.runtime.wireLimits)
            begin(head)
            return consumed
        }
    }

    private func begin(_ head: RequestHead) {
        phase = .exchange
        requestCount += 1
        body = RequestBodyReader(framing: head.framing, limits: worker.runtime.wireLimits)
        if body.isComplete { deadlines.none() } else { deadlines.bodyStarted() }
        let exchange = Exchange(connection: self, head: head)
        self.exchange = exchange
        exchange.begin()
        if body.isComplete, let exchange = self.exchange, !exchange.isFinished { exchange.bodyEnded() }
    }

    private func takeBody(_ bytes: Span<UInt8>) -> Int {
        guard let exchange, !body.isComplete else { return 0 }
        if isReadPaused { return 0 }
        let progress = body.read(bytes)
        switch progress {
        case .refused(let refusal):
            worker.metrics.wireRefused(refusal)
            exchange.bodyRefused(refusal)
            return bytes.count
        case .piece(let used, let isLast):
            guard deadlines.bodyProgressed(by: used) else {
                worker.metrics.limitRefused(.bodyRate)
                exchange.bodyTimedOut()
                return bytes.count
            }
            // Taken out first: the exchange looks at `body` while it works on the piece.
            if let piece = body.takeDecoded() { pauseIfAsked(exchange.bodyReceived(piece)) }
            if isLast, phase == .exchange {
                deadlines.none()
                if self.exchange === exchange { exchange.bodyEnded() }
            }
            return used
        }
    }

    private func pauseIfAsked(_ flow: TransferFlow) {
        guard flow == .pause, phase == .exchange else { return }
        isReadPaused = true
        deadlines.none()
        socket.watchReads(false)
    }

    /// The exchange took what it had: body bytes are welcome again.
    func resumeBody() {
        guard isReadPaused, phase == .exchange else { return }
        isReadPaused = false
        deadlines.bodyResumed()
        socket.watchReads(true)
        process()
    }

    /// Pipelined bytes wait in the socket, not in memory: reading stops at one head limit.
    private func limitInput() {
        guard phase == .exchange, !isReadPaused else { return }
        socket.watchReads(input.count <= worker.runtime.plan.limits.head)
    }

    private func inputEnded() {
        switch phase {
        case .idle, .closed: close()
        case .head:
            refuseInput(GatewayError(refusedWith: 400, detail: "the request head was cut off", closesConnection: true))
        case .lingering: close()
        case .exchange:
            // A client that closed cannot be told from one that only half-closed; nginx and Caddy take it as gone too.
            abandon()
        }
    }

    private func discard(_ count: Int) {
        lingered += count
        if lingered > ConnectionDeadlines.lingerBytes { close() }
    }

    // MARK: Ending

    /// The exchange is over: the next request may come, or the connection ends.
    func exchangeFinished(keepAlive: Bool) {
        exchange = nil
        guard phase == .exchange else { return }
        isReadPaused = false
        guard keepAlive, body.isComplete else { return closeAfterOutput() }
        phase = .idle
        becomeIdle()
        worker.flushLater(self)
        if !input.isEmpty, !isProcessing { worker.resumeLater(self) }
        socket.watchReads(true)
    }

    /// Ends the connection so that the client sees a broken answer, never one that looks complete.
    func abortAnswer() {
        flush()
        guard phase != .closed else { return }
        socket.reset()
        finishClose()
    }

    /// Sends what waits, then ends: half-close first and read a little, so that a client that is still sending gets
    /// the answer and not a reset (RFC 9112 9.6).
    func closeAfterOutput() {
        closesAfterOutput = true
        phase = .lingering
        input.removeAll()
        worker.flushLater(self)
    }

    /// The client is gone: nothing can be told to it.
    func abandon() {
        guard phase != .closed else { return }
        let exchange = self.exchange
        self.exchange = nil
        socket.close()
        finishClose()
        exchange?.clientLeft()
    }

    /// Ends it with a reset: half an answer must not look whole to a client that takes the end for the end of the body.
    func cut() {
        guard phase != .closed else { return }
        let exchange = self.exchange
        self.exchange = nil
        socket.reset()
        finishClose()
        exchange?.cut()
    }

    func close() {
        guard phase != .closed else { return }
        socket.close()
        finishClose()
    }

    private func finishClose() {
        phase = .closed
        deadlines.stop()
        input.removeAll()
        output.removeAll()
        worker.connectionClosed(self)
    }

    /// A request that is no HTTP gets the standard envelope and the end of the connection.
    /// - Parameter head: what has come of it.
    private func refuse(_ error: GatewayError, head: Span<UInt8>) {
        phase = .exchange
        requestCount += 1
        let exchange = Exchange(connection: self, origin: HeadScrap.value(of: "origin", in: head))
        self.exchange = exchange
        exchange.fail(error)
    }

    private func refuseInput(_ error: GatewayError) {
        let waiting = input.slice
        refuse(error, head: waiting.span)
    }

    private func deadlinePassed() {
        switch phase {
        case .idle, .closed, .lingering: close()
        case .head:
            worker.metrics.limitRefused(.headTime)
            refuseInput(
                GatewayError(
                    refusedWith: 408, detail: "the request head did not arrive in time", closesConnection: true))
        case .exchange:
            if !output.isEmpty {
                worker.metrics.limitRefused(.writeStall)
                cut()
            } else {
                worker.metrics.limitRefused(.bodyIdle)
                exchange?.bodyTimedOut()
            }
        }
    }

    /// Too many connections: 503 and the end, without reading anything.
    func turnAway(_ error: GatewayError) {
        phase = .head
        deadlines.start(loop: worker.loop) { [unowned self] in deadlinePassed() }
        refuseInput(error)
    }

    /// Drain: an idle connection may bring one more request for a second (it may be under way already), a busy one ends
    /// after its answer.
    func closeWhenIdle() {
        if phase == .idle { deadlines.drainIdle() }
    }

    /// RFC 9110 10.1.1: only after everything that the head alone decides has passed.
    func sendContinue() {
        var bytes: [UInt8] = []
        ResponseHeadWriter.appendContinue(to: &bytes)
        send(bytes)
    }

    private(set) lazy var remoteText = Array(peer.description.utf8)
}
