import Bytes
import Domain
import Expressions
import LoopKit

/// Takes a login (or logout) from request to request until it is over, or has a file or a command hand the token over. It
/// never passes through the session it logs in to (it would wait for itself), and nothing in it is tried twice (backoff has
/// one owner, the machine) but for the sake of a challenge.
final class LoginDriver: TransferDelegate {
    private let loop: EventLoop
    /// `nil` once it is over.
    private var host: (any LoginHost)?
    private var run: LoginRun
    private let scope: ExchangeScope
    private var transfer: (any UpstreamTransfer)?
    private var command: ChildProcess?
    private var head: UpstreamHead?
    private var body: [UInt8] = []
    private var sentAt: UInt64 = 0
    private var hasNewNonce = false
    private lazy var pause = loop.timer { [weak self] in self?.send() }
    /// A server that sends a byte now and then keeps to every other time limit.
    private lazy var deadline = loop.timer { [weak self] in self?.tookTooLong() }
    /// What is left of `login_time`.
    private var timeLeft: UInt64

    /// The cookies that the login was given.
    var jar: CookieJar { run.jar }
    /// What must not be shown of an answer: what the last request carried, and what was captured so far.
    var delicate: [[UInt8]] { DelicateValues.of(scope.request) + run.capturedTexts }
    /// Nothing but the refresh was tried yet.
    var isRefreshing: Bool { run.isRefreshing }
    /// It waits for what a person answers.
    private(set) var isAsking = false

    /// The two keep each other until the login is over.
    init(
        _ run: LoginRun, loop: EventLoop, surroundings: Surroundings, host: any LoginHost, trace: AssemblyTrace? = nil
    ) {
        self.run = run
        self.loop = loop
        self.host = host
        timeLeft = run.plan.limits.loginTime
        scope = ExchangeScope(
            request: LoginRun.emptyDraft, now: host.time(at: run.upstream), surroundings: surroundings)
        scope.trace = trace
    }

    func begin() {
        guard host != nil else { return }
        if let source = run.source { return fetch(source) }
        if let error = run.blocked { return end(.refused(error)) }
        // A person's answer may be all there is.
        if run.isComplete { return end(.succeeded(run.grant(wall: loop.wall.seconds))) }
        send()
    }

    private func send() {
        guard let host else { return }
        let upstream = run.upstream
        do {
            scope.startAttempt(now: host.time(at: upstream))
            if run.isAsking {
                let question = try run.question(scope)
                isAsking = true
                return host.loginAsks(question)
            }
            let way = try host.way(to: upstream)
            scope.dpopNonce = host.dpopLoginNonce
            let request = try run.nextRequest(scope, upstream: way.plan)
            host.loginSends(request, scope)
            (head, body, sentAt) = (nil, [], loop.clock)
            deadline.arm(after: timeLeft)
            transfer = way.transport.start(request, delegate: self)
        } catch {
            end(.failed(error.whileLoggingIn))
        }
    }

    /// A person has answered what the current step asks.
    func answer(_ text: [UInt8]) {
        guard isAsking else { return }
        isAsking = false
        run.answer(text)
        send()
    }

    /// Without a word to the host.
    func cancel() {
        transfer?.cancel()
        command?.cancel()
        forget()
    }

    func end(_ result: LoginResult) {
        let host = self.host
        forget()
        host?.loginEnded(result)
    }

    private func forget() {
        (host, transfer, command) = (nil, nil, nil)
        isAsking = false
        pause.cancel()
        deadline.cancel()
    }

    private func tookTooLong() {
        transfer?.cancel()
        let limit = run.plan.limits.loginTime / 1_000_000
        end(.failed(GatewayError(.loginUnavailable, detail: "login: not over after \(limit) ms (login_time)")))
    }

    /// A request has its answer, or will have none.
    private func stopClock() {
        deadline.cancel()
        timeLeft -= min(timeLeft, loop.clock &- sentAt)
    }

    // MARK: TransferDelegate

    func transferReceivedHead(_ head: UpstreamHead) {
        self.head = head
        host?.answered(head, by: run.upstream, sentAt: sentAt)
    }

    func transferReceived(_ bytes: Span<UInt8>) -> TransferFlow {
        body.append(copying: bytes)
        if body.count > ResponseView.loginLimit {
            transfer?.cancel()
            end(.failed(GatewayError(.badAnswer, detail: "login answer above 1 MiB").whileLoggingIn))
        }
        return .proceed
    }

    func transferNeedsBody(into buffer: inout [UInt8], limit: Int) -> BodySupply { .end }

    func transferCompleted() {
        guard let head, let host else { return }
        transfer = nil
        stopClock()
        do {
            try run.verify(head, body: body, scope)
        } catch {
            return end(.failed(error.whileLoggingIn))
        }
        if isChallenged(head, host) { return send() }
        let ahead = host.ahead(of: run.upstream)
        let verdict = run.answered(head, body: body, scope, wall: loop.wall.seconds, ahead: ahead)
        if let jar = scope.cookies?.jar, !jar.refusals.isEmpty { host.cookiesRefused(jar) }
        switch verdict {
        case .next: send()
        case .wait(let nanoseconds, let error):
            timeLeft = run.plan.limits.loginTime
            host.loginWaits(error)
            pause.arm(after: nanoseconds)
        case .succeeded(let grant): end(.succeeded(grant))
        case .refused(let error):
            host.loginFailed(head, body)
            end(.refused(error))
        case .failed(let error, let wait, let isDoubtful):
            host.loginFailed(head, body)
            end(.failed(error.whileLoggingIn, wait: wait, isDoubtful: isDoubtful))
        }
    }

    /// The step goes out again with what the upstream asks for: a nonce, or its own time. Once each: a server that is
    /// never content must not loop.
    private func isChallenged(_ head: UpstreamHead, _ host: any LoginHost) -> Bool {
        if let nonce = DPoPSigner.nonce(head.fields) { host.dpopLoginNonce = nonce }
        if run.plan.dpop != nil, !hasNewNonce,
            DPoPSigner.wantsNonce(status: head.status, fields: head.fields, body: body)
        {
            hasNewNonce = true
            return true
        }
        hasNewNonce = false
        guard let judged = run.signatureAnswer(head, body: body, scope) else { return false }
        for echo in judged.echoes { host.signatureEchoed(echo, by: run.upstream, scope) }
        return judged.refusedTime.map { host.adopt(time: $0, of: run.upstream) } ?? false
    }

    func transferFailed(_ failure: TransferFailure) {
        guard let host else { return }
        end(.failed(host.error(for: failure, at: run.upstream).whileLoggingIn))
    }

    // MARK: Handed-over tokens

    private func fetch(_ source: TokenSource) {
        command = TokenFetch.start(source, loop: loop) { [weak self] result in
            guard let self, host != nil else { return }
            end(TokenFetch.judge(result, source, plan: run.plan, scope: scope, wall: loop.wall.seconds))
        }
    }
}
