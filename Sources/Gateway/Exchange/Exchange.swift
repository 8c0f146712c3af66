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
    var isBodyComplete: Bool { connection.body.isComplete && unframer?.isFinished != false }
    /// Takes the client's own frame off the body as it comes.
    var unframer: AWSUnframer?
    var bodyCount: UInt64 = 0
    var bodyGone = false
    /// Bytes that the worker counts as held: those of `held`, and those of `inspected`.
    private var heldCount = 0
    /// The browser origin that the request came from, when it is a listed one.
    private(set) var origin: ArraySlice<UInt8>?
    var framing: FramedBody?
    /// What the request went out with under HTTP Digest.
    var digestSent: DigestSent?
    /// Replays that a challenge asked for.
    var challengeReplays = 0

    // Session and upstream
    var credential: CredentialSnapshot?
    var transfer: (any UpstreamTransfer)?
    var scope: ExchangeScope?
    var place = Place.none
    var attempts = 0
    var replays = ReplayLedger()
    var isReplay: Bool { replays.replays > 0 }
    /// Signed a second time after a clock refusal.
    var hasResigned = false
    var upstreamStarted: UInt64 = 0
    var sendOrder: UInt64 = 0
    /// Values of the answer that went into the credential: the client does not get them.
    var absorbed: [[UInt8]] = []
    /// Leave to send; its outcome must be told to the upstream once.
    var ticket: ReachabilityMachine.Ticket?

    // Answer
    var answerHead: UpstreamHead?
    var inspected: [UInt8] = []
    var inspection = Inspection(limit: 0)
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
    /// - Parameter origin: that they name, listed or not.
    init(connection: Connection, origin: ArraySlice<UInt8>?) {
        self.connection = connection
        head = nil
        worker = connection.worker
        runtime = worker.runtime
        id = worker.nextExchangeID()
        started = worker.loop.clock
        self.origin = origin.flatMap { access.isListed($0) ? $0 : nil }
    }

    private var access: AccessRule { connection.role == .admin ? runtime.adminAccess : runtime.access }

    /// Admission, in order: host, browser origin, caps, route, body size.
    func begin() {
        guard let head else { return }
        do {
            try admit(head)
            unframer = try route?.assembler.unframer(of: head)
        } catch {
            return fail(error)
        }
        if isPreflight { return answerPreflight(head) }
        guard let route else { return LocalEndpoints.answer(self, head) }
        worker.exchangeAdmitted()
        record.isAdmitted = true
        // No room for an answer: better said now than when the upstream has done what it was asked.
        if route.rendersEnvelope || !route.verifying.isEmpty, !worker.mayHold(UInt64(RouteRuntime.smallBody)) {
            return fail(tooMuchHeld)
        }
        if head.framing == .none { return proceed() }
        bodyMode = route.bodyMode(for: head, unframer)
        if case .held = bodyMode, case .length(let count) = head.framing, !worker.mayHold(count) {
            return fail(tooMuchHeld)
        }
        connection.body.limit(to: route.plan.limits.body)
        if head.expectsContinue { connection.sendContinue() }
        guard case .streamed = bodyMode else { return }
        if route.keepsBodies { worker.metrics.limitRefused(.replay) }
        proceed()
    }

    private func admit(_ head: RequestHead) throws(GatewayError) {
        if let refusal = runtime.hostRule(for: connection.role).check(head) {
            worker.metrics.wireRefused(refusal)
            origin = head.fields.first("origin", folding: true).flatMap { access.isListed($0) ? $0 : nil }
            throw GatewayError(refusal)
        }
        if case .listedOrigin(let origin) = try access.check(head, authority: head.host) { self.origin = origin }
        worker.metrics.underscoresDropped(head.droppedUnderscoreNames)
        if connection.role == .admin || LocalEndpoints.owns(head.path) || head.isAsteriskForm || isPreflight {
            return
        }
        switch runtime.admission.exchange(inFlight: worker.inFlight, isDraining: worker.isDraining) {
        case .admit(let closeAfter): record.closesAfter = closeAfter
        case .refuse(let error):
            worker.metrics.limitRefused(.inFlight)
            throw error
        }
        let route = try runtime.route(for: head)
        self.route = route
        guard FormFields.fit(head.query ?? [], runtime.plan.limits.formFields) else {
            worker.metrics.limitRefused(.formFields)
            throw GatewayError(.badRequest, detail: "more than \(runtime.plan.limits.formFields) query parameters")
        }
        if case .length(let count) = head.framing, count > route.plan.limits.body {
            throw tooLarge(route, "a request body of \(count) bytes")
        }
    }

    // MARK: Request body

    /// A decoded piece.
    func bodyReceived(_ piece: [UInt8]) -> TransferFlow {
        guard !isFinished, let route else { return .proceed }
        bodyCount += UInt64(piece.count)
        record.bytesIn += UInt64(piece.count)
        guard bodyCount <= route.plan.limits.body else {
            refuseBody(tooLarge(route, "a request body of \(bodyCount) bytes or more"))
            return .proceed
        }
        guard unframer != nil else { return contentReceived(piece) }
        return framedReceived(piece)
    }

    /// A piece of what the client means to send.
    func contentReceived(_ piece: [UInt8]) -> TransferFlow {
        if case .held(let limit, let mustHold) = bodyMode {
            guard worker.mayHold(UInt64(piece.count)) else {
                refuseBody(tooMuchHeld)
                return .proceed
            }
            hold(piece.count)
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
        releaseHeld()
        proceed()
    }

    func hold(_ count: Int) {
        heldCount += count
        worker.hold(count)
    }

    func releaseHeld() { release(heldCount) }

    /// What has come of the answer is not looked into any more.
    func dropInspected() {
        inspected = []
        release(heldCount - held.count)
    }

    private func release(_ count: Int) {
        guard count > 0 else { return }
        worker.release(count)
        heldCount -= count
    }

    private func refuseBody(_ error: GatewayError) {
        bodyGone = true
        transfer?.cancel()
        fail(error)
    }

    func bodyEnded() {
        guard !isFinished else { return }
        endFrame()
        guard !isFinished else { return }
        if case .held = bodyMode, stage == .receiving, bodyCount > 0 || head?.framing != BodyFraming.none {
            if let error = tooManyFields { return fail(error) }
            proceed()
        } else {
            transfer?.bodyAvailable()
        }
    }

    func bodyRefused(_ refusal: WireRefusal) {
        guard refusal.reason == .bodyTooLarge, let route else { return bodyFailed(GatewayError(refusal)) }
        bodyFailed(tooLarge(route, "a request body of \(connection.body.announced) bytes or more"))
    }

    func bodyTimedOut() {
        bodyFailed(
            GatewayError(refusedWith: 408, detail: "the request body did not arrive in time", closesConnection: true))
    }

    /// The upstream must not take a broken body for a whole one, so the transfer is cut, not ended.
    func bodyFailed(_ error: GatewayError) {
        guard !isFinished else { return connection.closeAfterOutput() }
        bodyGone = true
        dropTransfer()
        fail(error)
    }

    /// - Parameter seen: What is too large, with the size that the client has told or sent so far.
    private func tooLarge(_ route: RouteRuntime, _ seen: String) -> GatewayError {
        worker.metrics.limitRefused(.body)
        return GatewayError(
            .tooLarge, detail: "\(seen) is above the route's limit of \(route.plan.limits.body) bytes",
            closesConnection: true)
    }

    private var tooMuchHeld: GatewayError {
        worker.metrics.limitRefused(.held)
        return GatewayError(
            .overloaded, detail: "bodies take the whole of limits.held", retry: .safe,
            retryAfter: 1_000_000_000, closesConnection: true)
    }

    /// A body that is looked into costs time for each of its fields or values, on the one thread.
    private var tooManyFields: GatewayError? {
        guard let assembler = route?.assembler, assembler.bodyNeed >= .form else { return nil }
        let limits = runtime.plan.limits
        let type = head?.fields.first("content-type", folding: true) ?? []
        if MediaType.isForm(type), !FormFields.fit(held[...], limits.formFields) {
            return refused(.formFields, "more than \(limits.formFields) form fields")
        }
        guard assembler.parsesBody else { return nil }
        let body = held
        // Whatever it is called: `request.json` takes the body for JSON under any type.
        guard BodyValues.fit(json: body.span, limits.bodyValues), BodyValues.fit(xml: body.span, limits.bodyValues)
        else {
            return refused(.bodyValues, "more than \(limits.bodyValues) values in the body")
        }
        guard BodyValues.fit(multipart: body.span, contentType: type, limits.formFields) else {
            return refused(.formFields, "more than \(limits.formFields) parts in the body")
        }
        return nil
    }

    private func refused(_ limit: LimitName, _ detail: String) -> GatewayError {
        worker.metrics.limitRefused(limit)
        return GatewayError(.tooLarge, detail: detail)
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
        releaseHeld()
        route?.session?.exchangeEnded(id)
        endTicket()
        endTransfer()
        if record.isAdmitted { worker.exchangeEnded() }
        worker.report(self)
        connection.exchangeFinished(keepAlive: keepAlive)
    }
}

extension Exchange {
    /// Among the upstream's requests in flight.
    enum Place { case none, waiting, held }

    /// The transfer is over: its place goes to the next.
    func endTransfer() {
        transfer = nil
        switch place {
        case .none: return
        case .waiting: route?.upstream.withdraw(id)
        case .held: route?.upstream.leave()
        }
        place = .none
    }

    /// The transfer is no longer wanted, nor what it has brought.
    func dropTransfer() {
        dropInspected()
        transfer?.cancel()
        endTransfer()
    }

    /// The transfer ended without evidence for or against the upstream.
    func endTicket() {
        if let ticket = ticket.take() { route?.upstream.ended(ticket) }
    }
}
