import Bytes
import Domain
import Expressions
import HTTPWire
import LoopKit
import Observability

/// Keeps a session alive while no client needs it (`keepalive`): a request under the credential whenever it was idle for so
/// long, until the last request of a client is too long ago. Its answer is judged like any other of the session.
final class SessionKeepalive: TransferDelegate, SessionClient {
    enum Result: String { case alive, expired, failed }

    /// One request from the question for a credential to the end of its answer.
    private struct Flight {
        let id: UInt64
        /// As they are when it goes out: a reload may change the session's under it.
        var session: SessionPlan
        var upstream: UpstreamHandle
        var credential: CredentialSnapshot?
        var scope: ExchangeScope?
        var transfer: (any UpstreamTransfer)?
        var ticket: ReachabilityMachine.Ticket?
        var head: UpstreamHead?
        var body: [UInt8] = []
        var sentAt: UInt64 = 0
        var order: UInt64 = 0
    }

    private unowned let book: SessionBook
    private unowned let worker: Worker
    private var flight: Flight?
    /// Whoever still asks does so for a request that began before a reload.
    private var isStopped = false
    /// Monotonic: when a client, and when anybody, last asked for the credential.
    private var lastClient: UInt64 = 0
    private var lastUse: UInt64 = 0
    private lazy var timer = worker.loop.timer { [weak self] in self?.due() }

    init(book: SessionBook, worker: Worker) {
        self.book = book
        self.worker = worker
    }

    private var plan: KeepalivePlan? { book.plan.keepalive }
    /// The one that is under way.
    var request: UInt64? { flight?.id }

    /// A client's request goes out with the credential.
    func used() {
        lastClient = worker.loop.now
        lastUse = lastClient
        if !timer.isArmed, flight == nil { armTimer() }
    }

    /// A reload; what is under way goes on.
    func planChanged() {
        guard timer.isArmed else { return }
        timer.cancel()
        armTimer()
    }

    private func armTimer() {
        guard let plan, !isStopped else { return }
        let idle = worker.loop.now - lastUse
        timer.arm(after: plan.every > idle ? plan.every - idle : 0)
    }

    /// For good: the session is not used any more.
    func stop() {
        isStopped = true
        timer.cancel()
        flight?.transfer?.cancel()
        settle()
    }

    private func due() {
        guard let plan else { return }
        let now = worker.loop.now
        guard now - lastUse >= plan.every else { return armTimer() }
        // Without a credential there is nothing to keep. In both cases the next request of a client begins anew.
        guard now - lastClient < plan.longest, book.credential != nil, !worker.isDraining else { return }
        let id = worker.nextExchangeID()
        flight = Flight(id: id, session: book.plan, upstream: book.upstream)
        sessionAnswered(book.request(by: self, id: id, mayLogIn: false))
    }

    // MARK: SessionClient

    func sessionAnswered(_ verdict: SessionVerdict) {
        guard flight != nil else { return }
        switch verdict {
        case .ready(let credential): sessionReady(credential)
        case .guest: end(nil)
        // Its turn comes (`in_flight`).
        case .parked: break
        case .failed(let error): sessionFailed(error)
        }
    }

    func sessionReady(_ credential: CredentialSnapshot) {
        let (session, upstream) = (book.plan, book.upstream)
        guard let plan else { return end(nil) }
        flight?.session = session
        flight?.upstream = upstream
        // While the upstream is away nothing can be kept alive; the breaker knows when to look again.
        guard case .go(let ticket) = upstream.admit() else { return end(nil) }
        flight?.ticket = ticket
        let scope = ExchangeScope(
            request: LoginRun.emptyDraft, now: worker.upstreamTime(upstream), surroundings: book.setting.surroundings)
        scope.dpopNonce = book.dpopNonce
        do throws(GatewayError) {
            let request = try plan.request(
                scope, session: session, credential: credential,
                jar: book.cookies(for: credential)?.jar ?? CookieJar(), upstream: book.setting.plans[session.upstream])
            flight?.credential = credential
            flight?.scope = scope
            flight?.order = worker.nextSendOrder()
            flight?.sentAt = worker.loop.clock
            flight?.transfer = upstream.transport.start(request, delegate: self)
        } catch {
            failed(error)
        }
    }

    func sessionFailed(_ error: GatewayError) { failed(error) }

    // MARK: TransferDelegate

    func transferReceivedHead(_ head: UpstreamHead) {
        flight?.head = head
        flight?.upstream.answered(head, flight?.ticket.take(), sentAt: flight?.sentAt ?? 0)
    }

    func transferReceived(_ bytes: Span<UInt8>) -> TransferFlow {
        // What is beyond is of no interest: a test that looks for it finds nothing.
        if let count = flight?.body.count, count < ResponseView.loginLimit { flight?.body.append(copying: bytes) }
        return .proceed
    }

    func transferNeedsBody(into buffer: inout [UInt8], limit: Int) -> BodySupply { .end }

    func transferCompleted() {
        guard let flight, let head = flight.head, let scope = flight.scope, let credential = flight.credential
        else { return }
        let view = ResponseView(head, to: scope.request, body: flight.body)
        scope.response = view
        guard read(view, by: flight.session.keepalive?.step.envelope, scope) else { return }
        if flight.session.dpop != nil, let nonce = DPoPSigner.nonce(head.fields) { book.dpopNonce = nonce }
        worker.storeCookies(of: head.fields, scope, session: flight.session.name)
        // The whole answer is here: nothing is undecided.
        guard let verdict = try? flight.session.verdict(on: head.status, scope) else {
            // A server that fails says nothing about the credential.
            let isAlive = head.status < 500
            if isAlive { book.served(credential.generation) }
            let brought = try? flight.session.update?.evaluate(
                scope, wall: worker.loop.wall.seconds, ahead: book.upstream.clock.seconds)
            if let brought { book.absorb(brought, sentUnder: credential.generation, order: flight.order) }
            return end(isAlive ? .alive : .failed)
        }
        // The next one has the nonce that this one lacked.
        if flight.session.dpop != nil, DPoPSigner.wantsNonce(status: head.status, fields: head.fields) {
            return end(.failed)
        }
        if verdict != .expired || book.objection(toRenewalAfter: credential.generation) == nil {
            book.note(verdict, credential.generation, by: self, id: flight.id)
        }
        end(.expired)
    }

    /// False: it is not the upstream's own answer.
    private func read(_ view: ResponseView, by envelope: EnvelopePlan?, _ scope: ExchangeScope) -> Bool {
        guard let envelope else {
            // An answer that cannot be decoded only hides its expiry.
            try? view.decode()
            return true
        }
        do {
            scope.response = ResponseView(whole: view.head, body: flight?.body ?? [])
            defer { scope.response = view }
            try envelope.verify(scope)
        } catch {
            failed(envelope.forged)
            return false
        }
        if let fault = envelope.open(scope) {
            worker.log.repeated(
                .warning, "the answer to a keepalive cannot be read", about: Array(book.plan.name.utf8),
                [.text("session", book.plan.name), .text("envelope", envelope.name), .text("reason", fault.reason)])
        }
        return true
    }

    func transferFailed(_ failure: TransferFailure) {
        guard let upstream = flight?.upstream else { return }
        upstream.failed(failure, flight?.ticket.take())
        failed(upstream.error(for: failure))
    }

    private func failed(_ error: GatewayError) {
        worker.log.repeated(
            .warning, "keepalive failed", about: Array(book.plan.name.utf8),
            [.text("session", book.plan.name), .text("kind", error.kind.rawValue), .text("detail", error.detail)])
        end(.failed)
    }

    private func end(_ result: Result?) {
        if let result { worker.metrics.keptAlive(book.plan.name, result) }
        settle()
        lastUse = worker.loop.now
        armTimer()
    }

    private func settle() {
        guard let over = flight.take() else { return }
        if let ticket = over.ticket { over.upstream.ended(ticket) }
        book.exchangeEnded(over.id)
    }
}
