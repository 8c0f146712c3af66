import Bytes
package import Domain
import Expressions
import HTTPWire
import LoopKit

/// How a login ended.
package enum LoginResult {
    case succeeded(CredentialGrant)
    case failed(GatewayError)
    /// Wrong credentials: no other try on its own.
    case refused(GatewayError)
}

/// One login under way: the steps of the recipe, one request after the other, or the file or command that hands a token
/// over. It never passes through the session it logs in to (it would wait for itself), and nothing in it is tried twice
/// (backoff has one owner, the machine).
final class LoginFlight: TransferDelegate {
    /// Largest login answer that is looked into.
    static let answerLimit = 1024 * 1024

    let number: SessionMachine.Flight
    private unowned let worker: Worker
    private let book: SessionBook
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

    /// The cookies that the login was given.
    var jar: CookieJar { run.jar }

    init(number: SessionMachine.Flight, book: SessionBook, start: LoginStart, worker: Worker) {
        self.number = number
        self.book = book
        self.worker = worker
        upstream = book.upstream
        run = LoginRun(plan: book.plan, start: start)
        scope = ExchangeScope(
            request: LoginRun.emptyDraft, now: worker.upstreamTime(book.upstream),
            surroundings: worker.runtime.surroundings)
    }

    func begin() {
        guard !isOver else { return }
        if let source = book.plan.renewal.source { return fetch(source) }
        if let error = run.blocked { return end(.refused(error)) }
        // A person's answer may be all there is.
        if run.isComplete { return end(.succeeded(run.grant(wall: worker.loop.wall.seconds))) }
        send()
    }

    private func send() {
        guard !isOver else { return }
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
        if let ticket { upstream.ended(ticket) }
    }

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
        if let nonce = DPoPSigner.nonce(head.fields) { book.dpopLoginNonce = nonce }
        // The step again with the nonce that the server wants, once: a server that never takes one must not loop.
        if book.plan.dpop != nil, !hasNewNonce,
            DPoPSigner.wantsNonce(status: head.status, fields: head.fields, body: body)
        {
            hasNewNonce = true
            return send()
        }
        hasNewNonce = false
        switch run.answered(head, body: body, scope, wall: worker.loop.wall.seconds) {
        case .next: send()
        case .wait(let nanoseconds, let error):
            book.loginWaits(self, error)
            pause.arm(after: nanoseconds)
        case .succeeded(let grant): end(.succeeded(grant))
        case .refused(let error): end(.refused(error))
        case .failed(let error): end(.failed(error.whileLoggingIn))
        }
    }

    func transferFailed(_ failure: TransferFailure) {
        upstream.failed(failure, ticket.take())
        end(.failed(upstream.error(for: failure).whileLoggingIn))
    }

    private func end(_ result: LoginResult) {
        guard !isOver else { return }
        isOver = true
        transfer = nil
        if let ticket { upstream.ended(ticket) }
        book.loginEnded(self, result)
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
