import Bytes
import Domain
import Glibc
import HTTPWire
import LoopKit

/// One request and its answer. The dialer counts the connect deadline; an answer that comes early goes from sending to
/// receiving.
final class PlainTransfer: UpstreamTransfer {
    let request: UpstreamRequest
    private let timeouts: UpstreamPlan.Timeouts
    private let loop: EventLoop
    /// Both are held until the end.
    private var delegate: (any TransferDelegate)?
    private var transport: PlainTransport?
    private var connection: PlainConnection?
    private var dialer: Dialer?
    private(set) var stage = TransferStage.starting
    private var isReused = false
    private var hasSent = false
    /// No byte of an answer came.
    private var isUnanswered = true
    /// Loop time at which it got its connection, and how long that had rested before.
    private var begunAt: UInt64 = 0
    private var rested: UInt64 = 0
    /// Loop times; `.max` = none.
    private var stageDeadline = UInt64.max
    private let totalDeadline: UInt64

    // Answer.
    private var reader: AnswerReader
    private var isPaused = false
    /// Bytes that came in the same read as the piece that made the delegate pause; at most a read's worth.
    private var held: [UInt8] = []

    // Request.
    private var sender: RequestSender

    init(request: UpstreamRequest, transport: PlainTransport, delegate: any TransferDelegate) {
        self.request = request
        self.transport = transport
        self.delegate = delegate
        loop = transport.loop
        let plan = transport.plan
        timeouts = plan.timeouts
        reader = AnswerReader(isHead: request.isHead, maxFields: plan.maxAnswerFields, maxInterim: plan.maxInterim)
        sender = RequestSender(request.body)
        totalDeadline = timeouts.total == 0 ? .max : loop.now &+ timeouts.total
    }

    // MARK: UpstreamTransfer

    func bodyAvailable() {
        guard sender.isStarved else { return }
        sender.isStarved = false
        if stage == .sending { setStageDeadline(timeouts.idle) }
        // The delegate may be calling from inside one of its own callbacks.
        loop.atEndOfTick { self.send() }
    }

    func resume() {
        guard isPaused else { return }
        isPaused = false
        if stage == .receiving { setStageDeadline(timeouts.idle) }
        loop.atEndOfTick { self.readHeld() }
    }

    func cancel() {
        guard stage != .over else { return }
        transport?.cancelled(self)
    }

    // MARK: For the transport

    /// Counted among those in flight.
    var isLaunched: Bool { stage != .starting && stage != .over }

    /// Its pooled connection brought nothing.
    var isLost: Bool { isReused && isUnanswered }

    /// Since when its pooled connection is silent, where that speaks for those beside it. `kind` as it failed.
    func silentSince(_ kind: TransferFailure.Kind?) -> UInt64? {
        guard isLost, SilentConnection.speaksForOthers(kind, waited: loop.now &- begunAt) else {
            return nil
        }
        return begunAt
    }

    func dial(_ dialer: Dialer) {
        stage = .connecting
        self.dialer = dialer
    }

    func dialed(_ result: Result<Int32, Dialer.Failure>) {
        dialer = nil
        switch result {
        case .success(let descriptor): transport?.opened(descriptor, for: self)
        case .failure(let failure): broke(TransferFailure.Kind(connecting: failure.code), ErrorText.of(failure.code))
        }
    }

    func begin(on connection: PlainConnection, head: [UInt8], isReused: Bool) {
        self.connection = connection
        self.isReused = isReused
        begunAt = loop.now
        rested = isReused ? begunAt &- connection.lastUsed : 0
        connection.user = self
        sender.begin(head)
        stage = .sending
        guard sender.isStream else { return send() }
        // A stream is asked for its bytes, and nobody may be asked before `start` returned.
        setStageDeadline(timeouts.idle)
        loop.atEndOfTick { self.send() }
    }

    /// Ends a transfer that never began; tells the delegate once the caller has returned.
    func refuse(_ kind: TransferFailure.Kind, _ detail: String) {
        loop.atEndOfTick { [self] in
            guard stage != .over else { return }
            finish()?.transferFailed(
                TransferFailure(kind: kind, requestSent: false, connectionReused: false, detail: detail))
        }
    }

    /// Ends the life; returns whom to tell.
    func finish() -> (any TransferDelegate)? {
        let delegate = delegate
        stage = .over
        connection?.close()
        connection = nil
        (self.delegate, transport, dialer) = (nil, nil, nil)
        held = []
        return delegate
    }

    private func broke(_ kind: TransferFailure.Kind, _ detail: String) {
        transport?.broke(
            self,
            TransferFailure(
                kind: kind, requestSent: hasSent, connectionReused: isReused, connectionRested: rested, detail: detail))
    }

    // MARK: Deadlines

    private func setStageDeadline(_ after: UInt64) {
        stageDeadline = after == 0 ? .max : loop.now &+ after
        armTimer()
    }

    private func armTimer() {
        let next = min(stageDeadline, totalDeadline)
        guard next != .max else { return }
        connection?.timer?.arm(after: next > loop.now ? next - loop.now : 0)
    }

    func deadlinePassed() {
        let now = loop.now
        if now >= totalDeadline {
            broke(.totalTimeout, "the whole transfer took too long")
        } else if now < stageDeadline {
            armTimer()
        } else if stage == .awaitingHead {
            broke(.firstByteTimeout, "no head in time")
        } else {
            broke(.idleTimeout, "the transfer stalled")
        }
    }

    // MARK: Sending

    func writable() {
        connection?.socket.watchWrites(false)
        send()
    }

    /// Writes until everything is out, the socket is full or the body has no more for now.
    private func send() {
        guard let socket = connection?.socket, stage == .sending || stage == .receiving, !sender.isOver else { return }
        if sender.wantsFirstPiece, let delegate {
            _ = supply(delegate)
            guard stage != .over else { return }
        }
        while true {
            switch sender.write(to: socket) {
            case .wrote: hasSent = true
            case .blocked:
                if stage == .sending { setStageDeadline(timeouts.idle) }
                return socket.watchWrites(true)
            case .failed:
                // The answer may be here already (413, then a close): the read finds it, or the end.
                sender.giveUp()
                return requestOut()
            case .empty:
                guard let delegate, !sender.isBodyEnded else { return requestOut() }
                guard !sender.isStarved, supply(delegate) else { return }
            }
        }
    }

    /// Asks for the next piece; false when there is none now.
    private func supply(_ delegate: any TransferDelegate) -> Bool {
        var piece = sender.takePiece()
        let supply = delegate.transferNeedsBody(into: &piece, limit: RequestSender.pieceLimit)
        guard stage != .over else { return false }
        if let complaint = sender.accept(&piece, supply) {
            broke(.local, complaint)
            return false
        }
        // The client's own deadline counts while its bytes are awaited.
        if sender.isStarved, stage == .sending { stageDeadline = .max }
        return !sender.isStarved
    }

    private func requestOut() {
        if let transport { sender.release(to: transport) }
        guard stage == .sending else { return }
        stage = .awaitingHead
        setStageDeadline(timeouts.firstByte)
    }

    // MARK: Receiving

    func readable() {
        guard let socket = connection?.socket, !isPaused else { return }
        let outcome = socket.read { bytes in read(bytes) }
        guard stage != .over else { return }
        switch outcome {
        case .read, .blocked: return
        case .ended where reader.endsWithConnection: answered(hasExcess: false)
        case .ended: broke(.reset, "the upstream closed the connection before its answer was complete")
        case .failed(let code): broke(.reset, ErrorText.of(code))
        }
    }

    private func readHeld() {
        guard !isPaused, stage == .receiving, let socket = connection?.socket else { return }
        let bytes = held
        held = []
        read(bytes.span)
        if !isPaused, stage != .over { socket.watchReads(true) }
    }

    private func read(_ bytes: Span<UInt8>) {
        isUnanswered = false
        var position = 0
        do throws(WireFault) {
            while stage != .over {
                if isPaused { return hold(bytes.extracting(position..<bytes.count)) }
                switch try reader.next(bytes, at: &position) {
                case .needMore: return
                case .head: headReceived()
                case .body(let range): deliver(bytes.extracting(range))
                case .end: return answered(hasExcess: position < bytes.count)
                }
            }
        } catch {
            broke(.malformedAnswer, reader.head.detail(of: error))
        }
    }

    private func hold(_ rest: Span<UInt8>) {
        held.append(copying: rest)
        connection?.socket.watchReads(false)
    }

    private func headReceived() {
        // RFC 9112 9.5: an error while the request is still going out; the rest would be thrown away.
        if stage == .sending, reader.head.status >= 400 { sender.giveUp() }
        stage = .receiving
        setStageDeadline(timeouts.idle)
        let head = reader.head
        transport?.learn(from: head.fields)
        delegate?.transferReceivedHead(
            UpstreamHead(
                status: head.status, fields: head.fields, contentLength: head.declaredLength, reason: head.reason))
    }

    private func deliver(_ piece: Span<UInt8>) {
        setStageDeadline(timeouts.idle)
        guard delegate?.transferReceived(piece) == .pause, stage != .over else { return }
        isPaused = true
        stageDeadline = .max
    }

    /// The answer is whole. A request that is not out yet stays unfinished, and its connection with it.
    private func answered(hasExcess: Bool) {
        let isReusable = !hasExcess && sender.isComplete && reader.head.keepsConnection
        if let connection {
            self.connection = nil
            transport?.release(connection, wasReused: isReused, isReusable: isReusable)
        }
        finish()?.transferCompleted()
    }
}
