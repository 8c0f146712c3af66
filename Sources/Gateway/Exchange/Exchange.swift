import Bytes
import Domain
import Expressions
import HTTPWire
import LoopKit

/// One request and its answer, from the head to the access log line. Lives on the loop; its connection holds it, and the
/// transport or the session book while they work for it. Every way out goes through `finish`.
final class Exchange: TransferDelegate {
    /// `receiving` -> `parked` -> `sending` -> `inspecting` | `streaming` -> `finished`; a replay goes back to `parked`.
    enum Stage { case receiving, parked, sending, inspecting, streaming, finished }

    /// How the request body gets upstream.
    enum BodyMode {
        /// All of it before the request goes out; it can be sent again.
        case held(limit: Int, mustHold: Bool)
        /// Piece by piece; it cannot be sent again.
        case streamed
    }

    let connection: Connection
    let worker: Worker
    let runtime: PlanRuntime
    let head: RequestHead?
    let id: UInt64
    let started: UInt64
    /// Only our own texts have one.
    private(set) lazy var language = Language.negotiate(
        acceptLanguage: head?.fields.first("accept-language", folding: true))
    var route: RouteRuntime?
    var stage = Stage.receiving
    var isFinished: Bool { stage == .finished }

    // Request body
    var bodyMode = BodyMode.streamed
    var held: [UInt8] = []
    var waiting = ByteQueue()
    var isBodyComplete: Bool { connection.body.isComplete }
    var bodyCount: UInt64 = 0
    var bodyGone = false
    var framing: FramedBody?
    /// The nonce of HTTP Digest that the request went out with.
    var digestNonce: [UInt8]?
    /// Replays that a challenge asked for.
    var challengeReplays = 0

    // Session and upstream
    var credential: CredentialSnapshot?
    var transfer: (any UpstreamTransfer)?
    var scope: ExchangeScope?
    var attempts = 0
    var replays = ReplayLedger()
    var isReplay: Bool { replays.replays > 0 }
    /// Signed a second time after a clock refusal.
    var hasResigned = false
    var upstreamStarted: UInt64 = 0
    /// Leave to send; its outcome must be told to the upstream once.
    var ticket: ReachabilityMachine.Ticket?

    // Answer
    var answerHead: UpstreamHead?
    var inspected: [UInt8] = []
    var answer = AnswerState()
    var record = ExchangeRecord()

    init(connection: Connection, head: RequestHead) {
        self.connection = connection
        self.head = head
        worker = connection.worker
        runtime = worker.runtime
        id = worker.nextExchangeID()
        started = worker.loop.clock
    }

    /// For bytes that never became a request.
    init(connection: Connection) {
        self.connection = connection
        head = nil
        worker = connection.worker
        runtime = worker.runtime
        id = worker.nextExchangeID()
        started = worker.loop.clock
    }

    /// Admission, in order: host, browser origin, caps, route, body size.
    func begin() {
        guard let head else { return }
        do {
            try admit(head)
        } catch {
            return fail(error)
        }
        guard let route else { return LocalEndpoints.answer(self, head) }
        worker.exchangeAdmitted()
        record.isAdmitted = true
        if head.framing == .none { return proceed() }
        bodyMode = route.bodyMode(for: head)
        connection.body.limit(to: route.plan.limits.body)
        if head.expectsContinue { connection.sendContinue() }
        if case .streamed = bodyMode { proceed() }
    }

    private func admit(_ head: RequestHead) throws(GatewayError) {
        if let refusal = runtime.hostRule(for: connection.role).check(head) {
            worker.metrics.wireRefused(refusal)
            throw GatewayError(refusal)
        }
        try runtime.access.check(head, authority: head.host)
        worker.metrics.underscoresDropped(head.droppedUnderscoreNames)
        if connection.role == .admin || LocalEndpoints.owns(head.path) || head.isAsteriskForm { return }
        switch runtime.admission.exchange(inFlight: worker.inFlight, isDraining: worker.isDraining) {
        case .admit(let closeAfter): record.closesAfter = closeAfter
        case .refuse(let error):
            worker.metrics.limitRefused(.inFlight)
            throw error
        }
        let route = try runtime.route(for: head)
        self.route = route
        if case .length(let count) = head.framing, count > route.plan.limits.body {
            throw tooLarge(route)
        }
    }

    // MARK: Request body

    /// A decoded piece.
    func bodyReceived(_ piece: [UInt8]) -> TransferFlow {
        guard !isFinished, let route else { return .proceed }
        bodyCount += UInt64(piece.count)
        record.bytesIn += UInt64(piece.count)
        guard bodyCount <= route.plan.limits.body else {
            bodyGone = true
            transfer?.cancel()
            fail(tooLarge(route))
            return .proceed
        }
        if case .held(let limit, let mustHold) = bodyMode {
            if held.isEmpty { held = piece } else { held.append(contentsOf: piece) }
            if held.count > limit, !mustHold { startStreaming() }
            return .proceed
        }
        waiting.append(piece)
        transfer?.bodyAvailable()
        return waiting.count > Watermark.high ? .pause : .proceed
    }

    /// Too large to be kept for a replay: what is here goes first, the rest as it comes.
    private func startStreaming() {
        worker.metrics.limitRefused(.replay)
        bodyMode = .streamed
        waiting.append(held)
        held = []
        proceed()
    }

    func bodyEnded() {
        guard !isFinished else { return }
        if case .held = bodyMode, stage == .receiving, bodyCount > 0 || head?.framing != BodyFraming.none {
            proceed()
        } else {
            transfer?.bodyAvailable()
        }
    }

    func bodyRefused(_ refusal: WireRefusal) {
        bodyFailed(
            GatewayError(refusal))
    }

    func bodyTimedOut() {
        bodyFailed(
            GatewayError(refusedWith: 408, detail: "the request body did not arrive in time", closesConnection: true))
    }

    /// The upstream must not take a broken body for a whole one, so the transfer is cut, not ended.
    private func bodyFailed(_ error: GatewayError) {
        guard !isFinished else { return connection.closeAfterOutput() }
        bodyGone = true
        transfer?.cancel()
        transfer = nil
        fail(error)
    }

    private func tooLarge(_ route: RouteRuntime) -> GatewayError {
        worker.metrics.limitRefused(.body)
        return GatewayError(
            .tooLarge, detail: "request body above the route's limit of \(route.plan.limits.body) bytes",
            closesConnection: true)
    }

    // MARK: Ending

    /// The client went away: nothing more can be told, and nothing must go on for its sake.
    func clientLeft() { stop(.clientLeft) }

    /// The answer cannot be finished: the client does not read, or the process ends.
    func cut() { stop(.failed) }

    private func stop(_ outcome: Outcome) {
        guard !isFinished else { return }
        record.outcome = outcome
        route?.session?.left(id)
        transfer?.cancel()
        finish(keepAlive: false)
    }

    func downstreamDrained() {
        guard answer.isPaused else { return }
        answer.isPaused = false
        transfer?.resume()
    }

    /// The one way out.
    func finish(keepAlive: Bool) {
        guard !isFinished else { return }
        stage = .finished
        route?.session?.exchangeEnded(id)
        endTicket()
        transfer = nil
        if record.isAdmitted { worker.exchangeEnded() }
        worker.report(self)
        connection.exchangeFinished(keepAlive: keepAlive)
    }
}

extension Exchange {
    /// The transfer ended without evidence for or against the upstream.
    func endTicket() {
        if let ticket = ticket.take() { route?.upstream.ended(ticket) }
    }
}
