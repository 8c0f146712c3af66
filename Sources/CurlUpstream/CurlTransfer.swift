import CCurlShims
import Domain
import HTTPWire
import LoopKit

/// One request and its answer. Made by the transport; talks to the delegate. libcurl counts the connect deadline.
final class CurlTransfer: UpstreamTransfer {
    let request: UpstreamRequest
    // Asked often; a computed property would copy the request each time.
    private let isHead: Bool
    private let isHTTP2: Bool
    /// The body goes through `bodyWanted`.
    let hasUpload: Bool
    private let timeouts: UpstreamPlan.Timeouts
    private let loop: EventLoop
    /// Held until the end, and with it this transport.
    private(set) var delegate: (any TransferDelegate)?
    private(set) var transport: CurlTransport?
    var handle: CurlHandle?
    var stage = TransferStage.starting
    var builder: UpstreamHeadBuilder
    /// What a callback of ours found wrong; wins over libcurl's code.
    private(set) var fault: (kind: TransferFailure.Kind, detail: String)?
    /// A second attempt is allowed once, for whatever reason.
    var hasRetried = false
    /// Loop times; `.max` = none.
    private var stageDeadline = UInt64.max
    private let totalDeadline: UInt64

    // Answer.
    /// The delegate asked for a pause; one more piece makes libcurl stop.
    private var isPaused = false
    /// libcurl holds a piece back.
    private var isReceivingStopped = false
    private(set) var hasAnswerBytes = false
    /// Loop time at which the request was about to go out.
    private var begunAt: UInt64 = 0
    /// Reads a chunked body along with libcurl, which takes line ends and sizes that RFC 9112 forbids.
    private var chunks: ChunkedDecoder?

    // Request body.
    private var sent = 0
    private var isBodyTaken = false
    private var isBodyEnded = false
    private var isSendingStopped = false
    private var piece: [UInt8] = []

    init(
        request: UpstreamRequest, plan: UpstreamPlan, loop: EventLoop, transport: CurlTransport,
        delegate: any TransferDelegate
    ) {
        self.request = request
        isHead = request.isHead
        isHTTP2 = plan.version == .http2
        hasUpload = request.isUpload
        timeouts = plan.timeouts
        self.loop = loop
        self.transport = transport
        self.delegate = delegate
        builder = UpstreamHeadBuilder(
            maxFields: plan.maxAnswerFields, maxInterim: plan.maxInterim, allowsHTTP2: plan.version == .http2,
            framesItself: false)
        totalDeadline = timeouts.total == 0 ? .max : loop.now &+ timeouts.total
    }

    // MARK: UpstreamTransfer

    func bodyAvailable() {
        guard isSendingStopped else { return }
        isSendingStopped = false
        if stage == .sending { setStageDeadline(timeouts.idle) }
        replanPauses()
    }

    func resume() {
        guard isPaused else { return }
        isPaused = false
        if stage == .receiving { setStageDeadline(timeouts.idle) }
        if isReceivingStopped {
            isReceivingStopped = false
            replanPauses()
        }
    }

    func cancel() {
        guard stage != .over else { return }
        transport?.cancelled(self)
    }

    // MARK: For the transport

    /// Not one byte of an answer came and no byte of a stream is gone: the request may be sent again if its method allows.
    var isUntouched: Bool { !hasAnswerBytes && !isBodyTaken }

    /// Since when its pooled connection is silent, where that speaks for those beside it. `kind` as it failed.
    func silentSince(_ kind: TransferFailure.Kind?) -> UInt64? {
        guard !hasAnswerBytes, begunAt != 0,
            SilentConnection.speaksForOthers(kind, waited: loop.now &- begunAt)
        else { return nil }
        return begunAt
    }

    /// Back to the start for the second attempt.
    func rewind() {
        hasRetried = true
        stage = .connecting
        stageDeadline = .max
        (sent, isBodyEnded, isSendingStopped, isReceivingStopped) = (0, false, false, false)
        begunAt = 0
    }

    /// Bits of `curl_easy_pause` for what must stay stopped.
    var pauseMask: Int32 {
        (isReceivingStopped ? Int32(gw_pause_receive) : 0) | (isSendingStopped ? Int32(gw_pause_send) : 0)
    }

    /// Nothing more for the delegate, though libcurl still has the handle for a moment.
    func silence() {
        delegate = nil
        stage = .over
    }

    /// Ends the life; returns whom to tell.
    func finish() -> (any TransferDelegate)? {
        let delegate = delegate
        stage = .over
        (self.delegate, transport, handle) = (nil, nil, nil)
        return delegate
    }

    func fail(_ kind: TransferFailure.Kind, _ detail: String) {
        if fault == nil { fault = (kind, detail) }
    }

    // MARK: Deadlines

    private func setStageDeadline(_ after: UInt64) {
        stageDeadline = after == 0 ? .max : loop.now &+ after
        armTimer()
    }

    func armTimer() {
        let next = min(stageDeadline, totalDeadline)
        guard next != .max else { return }
        handle?.timer?.arm(after: next > loop.now ? next - loop.now : 0)
    }

    func deadlinePassed() {
        let now = loop.now
        if now >= totalDeadline {
            transport?.expired(self, .totalTimeout, "the whole transfer took too long")
        } else if now >= stageDeadline {
            if stage == .awaitingHead {
                transport?.expired(self, .firstByteTimeout, "no head in time")
            } else {
                transport?.expired(self, .idleTimeout, "the transfer stalled")
            }
        } else {
            armTimer()
        }
    }

    /// HEAD with a body: libcurl has no such request. It goes out as a POST by another name, and since libcurl would then wait
    /// for an answer's body, the transfer ends with the head (and its connection with it).
    var endsAtHead: Bool {
        guard isHead else { return false }
        if case .none = request.body { return false }
        return true
    }

    /// Nothing but the end of the connection says that the answer is whole. HTTP/2 has ends of its own.
    var endsWithConnection: Bool { builder.isFinalComplete && builder.framing == .close && !isHead && !isHTTP2 }

    // MARK: Called from inside libcurl

    func connectionOpened() { transport?.gauges.connectionsOpened += 1 }

    func mayUse(_ connection: CurlConnection?) -> Bool { transport?.mayUse(connection, for: self) ?? false }

    func requestDue() {
        begunAt = loop.now
        if hasUpload, !isBodyEnded {
            stage = .sending
            setStageDeadline(timeouts.idle)
        } else {
            stage = .awaitingHead
            setStageDeadline(timeouts.firstByte)
        }
    }

    func headerLine(_ line: Span<UInt8>) -> Bool {
        guard stage != .over, fault == nil else { return false }
        hasAnswerBytes = true
        let wasComplete = builder.isFinalComplete
        do throws(WireFault) {
            try builder.line(line)
        } catch {
            fail(.malformedAnswer, builder.detail(of: error))
            return false
        }
        guard !wasComplete, builder.isFinalComplete else { return true }
        return headReceived()
    }

    private func headReceived() -> Bool {
        let framing = builder.framing
        let hasNoBody = isHead || framing == .none || framing == .length(0)
        if hasNoBody || builder.framing == .chunked { handle?.watchForExcess() }
        if builder.isLaxlyFramed { handle?.forbidReuse() }
        if framing == .chunked, !isHead { chunks = ChunkedDecoder() }
        stage = .receiving
        setStageDeadline(timeouts.idle)
        transport?.learn(from: builder.fields)
        delegate?.transferReceivedHead(
            UpstreamHead(
                status: builder.status, fields: builder.fields, contentLength: builder.declaredLength,
                reason: builder.reason))
        return stage != .over && !endsAtHead
    }

    /// Body bytes as they came, before libcurl decodes them. A fault makes the next piece, or the end, a failure.
    func rawBody(_ bytes: Span<UInt8>) {
        guard chunks != nil, fault == nil else { return }
        var position = 0
        while true {
            switch chunks?.next(bytes, at: &position) {
            case .data: continue
            case .refused: return fail(.malformedAnswer, "bad chunked coding")
            case .done:
                if position < bytes.count { handle?.forbidReuse() }
                return
            case .needMore, nil: return
            }
        }
    }

    func bodyPiece(_ bytes: Span<UInt8>) -> PieceAnswer {
        guard stage != .over, fault == nil else { return .refused }
        if isPaused {
            isReceivingStopped = true
            return .paused
        }
        guard builder.isFinalComplete else {
            fail(.malformedAnswer, "body without a head")
            return .refused
        }
        builder.bodyBegan()
        setStageDeadline(timeouts.idle)
        guard let delegate else { return .refused }
        if delegate.transferReceived(bytes) == .pause, stage != .over {
            isPaused = true
            stageDeadline = .max
        }
        return stage == .over ? .refused : .taken
    }

    func bodyWanted(_ room: UnsafeMutableRawBufferPointer) -> SupplyAnswer {
        guard stage != .over, fault == nil else { return .refused }
        let answer =
            switch request.body {
            case .none: SupplyAnswer.bytes(0)
            case .bytes(let bytes): unsafe supply(bytes, room)
            case .stream(let count): unsafe supplyStream(count, room)
            }
        if stage == .sending {
            if isSendingStopped { stageDeadline = .max } else { setStageDeadline(timeouts.idle) }
        }
        return answer
    }

    private func supply(_ bytes: [UInt8], _ room: UnsafeMutableRawBufferPointer) -> SupplyAnswer {
        let count = min(room.count, bytes.count - sent)
        unsafe room.copyBytes(from: bytes[sent..<sent + count])
        sent += count
        if sent == bytes.count { bodyEnded() }
        return .bytes(count)
    }

    private func supplyStream(_ total: UInt64?, _ room: UnsafeMutableRawBufferPointer) -> SupplyAnswer {
        if isBodyEnded { return .bytes(0) }
        guard let delegate else { return .refused }
        piece.removeAll(keepingCapacity: true)
        let supply = delegate.transferNeedsBody(into: &piece, limit: room.count)
        guard stage != .over else { return .refused }
        let (now, overflow) = UInt64(sent).addingReportingOverflow(UInt64(piece.count))
        guard piece.count <= room.count, !overflow, now <= total ?? .max else {
            fail(.local, "the body is longer than declared")
            return .refused
        }
        unsafe room.copyBytes(from: piece)
        sent += piece.count
        isBodyTaken = isBodyTaken || !piece.isEmpty
        switch supply {
        case .abort:
            fail(.local, "the body was given up")
            return .refused
        case .end:
            guard total == nil || now == total else {
                fail(.local, "the body is shorter than declared")
                return .refused
            }
            bodyEnded()
        case .more, .wait:
            if now == total { bodyEnded() }
            if piece.isEmpty, !isBodyEnded {
                isSendingStopped = true
                return .paused
            }
        }
        return .bytes(piece.count)
    }

    private func bodyEnded() {
        isBodyEnded = true
        guard stage == .sending else { return }
        stage = .awaitingHead
        setStageDeadline(timeouts.firstByte)
    }

    private func replanPauses() { transport?.pausesChanged(self) }
}
