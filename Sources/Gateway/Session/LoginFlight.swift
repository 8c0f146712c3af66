import Bytes
package import Domain
import Expressions
import HTTPWire
import LoopKit
import Observability

/// How a login ended.
package enum LoginResult {
    case succeeded(CredentialGrant)
    /// Not again before so many nanoseconds, when the upstream told.
    case failed(GatewayError, wait: UInt64? = nil)
    /// Wrong credentials: no other try on its own.
    case refused(GatewayError)
}

/// One login (or logout) under way: the steps of the recipe, one request after the other, or the file or command that
/// hands a token over. It never passes through the session it logs in to (it would wait for itself), and nothing in it is
/// tried twice (backoff has one owner, the machine) but for the sake of a challenge.
final class LoginFlight: TransferDelegate {
    /// Largest login answer that is looked into.
    static let answerLimit = 1024 * 1024
    /// Longest wait for what a person answers: text messages and captchas are dead by then.
    static let answerTime: UInt64 = 900_000_000_000

    let number: SessionMachine.Flight
    private unowned let worker: Worker
    private let book: SessionBook
    private let onEnd: (LoginFlight, LoginResult) -> Void
    private var run: LoginRun
    private var scope: ExchangeScope
    private var transfer: (any UpstreamTransfer)?
    private var command: ChildProcess?
    private var head: UpstreamHead?
    private var body: [UInt8] = []
    private var sentAt: UInt64 = 0
    private var upstream: UpstreamHandle
    private var ticket: ReachabilityMachine.Ticket?
    private var isOver = false
    private var hasNewNonce = false
    private lazy var pause = worker.loop.timer { [weak self] in self?.send() }
    private lazy var patience = worker.loop.timer { [weak self] in self?.nobodyAnswered() }

    /// The cookies that the login was given.
    var jar: CookieJar { run.jar }
    /// It waits for what a person answers.
    private(set) var isAsking = false

    init(
        number: SessionMachine.Flight, book: SessionBook, run: LoginRun, worker: Worker,
        onEnd: @escaping (LoginFlight, LoginResult) -> Void
    ) {
        self.number = number
        self.book = book
        self.worker = worker
        self.onEnd = onEnd
        self.run = run
        upstream = book.upstream
        scope = ExchangeScope(
            request: LoginRun.emptyDraft, now: worker.upstreamTime(book.upstream),
            surroundings: worker.runtime.surroundings)
    }

    func begin() {
        guard !isOver else { return }
        if let source = book.plan.renewal.source, number > 0 { return fetch(source) }
        if let error = run.blocked { return end(.refused(error)) }
        // A person's answer may be all there is.
        if run.isComplete { return end(.succeeded(run.grant(wall: worker.loop.wall.seconds))) }
        send()
    }

    private func send() {
        guard !isOver else { return }
        if run.isAsking { return ask() }
        upstream = book.handle(run.upstream)
        switch upstream.admit() {
        case .go(let ticket): self.ticket = ticket
        case .refuse(let error): return end(.failed(error.whileLoggingIn))
        }
        scope.startAttempt(now: worker.upstreamTime(upstream))
        scope.dpopNonce = book.dpopLoginNonce
        do {
            let request = try run.nextRequest(scope, upstream: upstream.plan)
            (head, body, sentAt) = (nil, [], worker.loop.clock)
            transfer = upstream.transport.start(request, delegate: self)
        } catch {
            end(.failed(error.whileLoggingIn))
        }
    }

    func cancel() {
        isOver = true
        transfer?.cancel()
        command?.cancel()
        pause.cancel()
        patience.cancel()
        if let ticket { upstream.ended(ticket) }
    }

    // MARK: Persons

    private func ask() {
        scope.startAttempt(now: worker.upstreamTime(upstream))
        do {
            let question = try run.question(scope)
            isAsking = true
            patience.arm(after: Self.answerTime)
            book.loginWaits(self, question)
        } catch {
            end(.failed(error.whileLoggingIn))
        }
    }

    /// A person has answered what the current step asks.
    func answer(_ text: [UInt8]) {
        guard isAsking, !isOver else { return }
        isAsking = false
        patience.cancel()
        run.answer(text)
        send()
    }

    private func nobodyAnswered() {
        end(.refused(GatewayError(.loginRequired, detail: "nobody answered in time; start the login again")))
    }

    // MARK: TransferDelegate

    func transferReceivedHead(_ head: UpstreamHead) {
        self.head = head
        upstream.answered(head, ticket.take(), sentAt: sentAt)
    }

    func transferReceived(_ bytes: Span<UInt8>) -> TransferFlow {
        body.append(copying: bytes)
        if body.count > Self.answerLimit {
            transfer?.cancel()
            end(.failed(GatewayError(.badAnswer, detail: "login answer above 1 MiB").whileLoggingIn))
        }
        return .proceed
    }

    func transferNeedsBody(into buffer: inout [UInt8], limit: Int) -> BodySupply { .end }

    func transferCompleted() {
        guard let head, !isOver else { return }
        transfer = nil
        if isChallenged(head) { return send() }
        switch run.answered(head, body: body, scope, wall: worker.loop.wall.seconds) {
        case .next: send()
        case .wait(let nanoseconds, let error):
            book.loginWaits(self, error)
            pause.arm(after: nanoseconds)
        case .succeeded(let grant): end(.succeeded(grant))
        case .refused(let error):
            tell(head)
            end(.refused(error))
        case .failed(let error, let wait):
            tell(head)
            end(.failed(error.whileLoggingIn, wait: wait))
        }
    }

    /// The step goes out again with what the upstream asks for: a nonce, or its own time. Once each: a server that is
    /// never content must not loop.
    private func isChallenged(_ head: UpstreamHead) -> Bool {
        if let nonce = DPoPSigner.nonce(head.fields) { book.dpopLoginNonce = nonce }
        if book.plan.dpop != nil, !hasNewNonce,
            DPoPSigner.wantsNonce(status: head.status, fields: head.fields, body: body)
        {
            hasNewNonce = true
            return true
        }
        hasNewNonce = false
        guard let judged = run.signatureAnswer(head, body: body, scope) else { return false }
        for echo in judged.echoes { worker.signatureEchoed(echo, upstream, id: nil) }
        return judged.refusedTime.map { worker.adoptRefusedClock($0, upstream) } ?? false
    }

    func transferFailed(_ failure: TransferFailure) {
        upstream.failed(failure, ticket.take())
        end(.failed(upstream.error(for: failure).whileLoggingIn))
    }

    private func end(_ result: LoginResult) {
        guard !isOver else { return }
        isOver = true
        isAsking = false
        transfer = nil
        patience.cancel()
        if let ticket { upstream.ended(ticket) }
        onEnd(self, result)
    }

    /// Why an answer is no success is often written in it.
    private func tell(_ head: UpstreamHead) {
        guard worker.log.level <= .debug else { return }
        worker.redact(DelicateValues.of(scope.request) + run.capturedTexts)
        worker.log.debug(
            "answer to a login that did not work",
            [
                .text("session", book.plan.name), .int("status", head.status),
                .text("type", head.fields.first("content-type", folding: true).map { Array($0) } ?? []),
                .text("body", body),
            ])
    }

    // MARK: Handed-over tokens

    private func fetch(_ source: TokenSource) {
        command = TokenFetch.start(source, loop: worker.loop) { [weak self] result in
            guard let self, !isOver else { return }
            command = nil
            end(TokenFetch.judge(result, source, plan: book.plan, scope: scope, wall: worker.loop.wall.seconds))
        }
    }
}
