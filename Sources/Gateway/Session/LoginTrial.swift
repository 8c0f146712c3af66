import Bytes
package import Domain
import Expressions
package import LoopKit

/// One login with no worker around it: `countersign login`, `check --live`. It sends the same requests as the gateway would
/// and keeps nothing of what they bring.
package final class LoginTrial: TransferDelegate {
    /// One request of the recipe, as far as it may be told: the target may hold secrets, mask it.
    package struct Step {
        package var method: [UInt8]
        package var target: [UInt8]
        /// `nil`: there was no answer.
        package var status: Int?
    }

    /// A login that takes longer is of no use to anybody; the upstream's own time limits are shorter.
    private static let longest: UInt64 = 120_000_000_000
    /// A person may take as long as the upstream lets them; this is for the upstream that never says no.
    private static let longestWithPerson: UInt64 = 1_800_000_000_000

    package private(set) var steps: [Step] = []
    /// Seconds by which the upstream's clock is ahead of ours, by its `Date`.
    package var clockOffset: Int64 { clock.seconds }
    private let loop: EventLoop
    private let upstreams: [UpstreamPlan]
    private let session: SessionPlan
    private let scope: ExchangeScope
    private var transports: [Int: any UpstreamTransport] = [:]
    private var run: LoginRun
    private var command: ChildProcess?
    private let onWait: (String) -> Void
    private var told = ""
    private var clock = ClockOffset()
    private var transfer: (any UpstreamTransfer)?
    private var head: UpstreamHead?
    private var body: [UInt8] = []
    private var sentAt: UInt64 = 0
    private var result: LoginResult?
    private lazy var deadline = loop.timer { [weak self] in self?.timedOut() }

    private lazy var pause = loop.timer { [weak self] in self?.begin() }

    /// - Parameters:
    ///   - answer: What a person answers to `human:`.
    ///   - onWait: Told what a person has to do while the login waits for them.
    package init(
        loop: EventLoop, plan: GatewayPlan, session: SessionPlan, answer: [UInt8]? = nil,
        onWait: @escaping (String) -> Void = { _ in }
    ) {
        self.loop = loop
        self.session = session
        self.onWait = onWait
        upstreams = plan.upstreams
        run = LoginRun(plan: session, start: LoginStart(answer: answer))
        scope = ExchangeScope(
            request: LoginRun.emptyDraft, now: loop.wall,
            surroundings: Surroundings(secrets: plan.secrets, device: []))
    }

    /// Logs in, and runs the loop until that is over.
    package func login() -> LoginResult {
        guard session.hasLogin else {
            return .failed(GatewayError(.internal, detail: "session \(session.name) has no login"))
        }
        if let error = run.blocked { return .refused(error) }
        deadline.arm(after: session.needsPerson ? Self.longestWithPerson : Self.longest)
        loop.atEndOfTick { self.start() }
        loop.run()
        for transport in transports.values { transport.retire() }
        return result ?? .failed(GatewayError(.internal, detail: "the loop ended first"))
    }

    private func start() {
        if let source = session.renewal.source {
            command = TokenFetch.start(source, loop: loop) { [self] result in
                command = nil
                end(TokenFetch.judge(result, source, plan: session, scope: scope, wall: loop.wall.seconds))
            }
        } else if run.isComplete {
            end(.succeeded(run.grant(wall: loop.wall.seconds)))
        } else {
            begin()
        }
    }

    private func transport(_ index: Int) -> any UpstreamTransport {
        if let known = transports[index] { return known }
        let transport = UpstreamTransports.make(loop: loop, plan: upstreams[index])
        transports[index] = transport
        return transport
    }

    private func begin() {
        scope.startAttempt(now: loop.wall)
        do {
            let request = try run.nextRequest(scope, upstream: upstreams[run.upstream])
            steps.append(Step(method: request.method, target: request.target))
            (head, body, sentAt) = (nil, [], loop.now)
            transfer = transport(run.upstream).start(request, delegate: self)
        } catch {
            end(.failed(error.whileLoggingIn))
        }
    }

    private func end(_ result: LoginResult) {
        guard self.result == nil else { return }
        self.result = result
        transfer = nil
        pause.cancel()
        deadline.cancel()
        loop.stop()
    }

    private func timedOut() {
        transfer?.cancel()
        command?.cancel()
        end(.failed(GatewayError(.timeout, detail: "the login took too long").whileLoggingIn))
    }

    // MARK: TransferDelegate

    package func transferReceivedHead(_ head: UpstreamHead) {
        self.head = head
        steps[steps.count - 1].status = head.status
        clock.learn(from: head.fields, sentAt: sentAt, receivedAt: loop.now, wall: loop.wall)
    }

    package func transferReceived(_ bytes: Span<UInt8>) -> TransferFlow {
        body.append(copying: bytes)
        if body.count > LoginFlight.answerLimit {
            transfer?.cancel()
            end(.failed(GatewayError(.badAnswer, detail: "login answer above 1 MiB").whileLoggingIn))
        }
        return .proceed
    }

    package func transferNeedsBody(into buffer: inout [UInt8], limit: Int) -> BodySupply { .end }

    package func transferCompleted() {
        guard let head, result == nil else { return }
        transfer = nil
        switch run.answered(head, body: body, scope, wall: loop.wall.seconds) {
        case .next: begin()
        case .wait(let nanoseconds, let error):
            if error.detail != told { onWait(error.detail) }
            told = error.detail
            pause.arm(after: nanoseconds)
        case .succeeded(let grant): end(.succeeded(grant))
        case .refused(let error): end(.refused(error))
        case .failed(let error): end(.failed(error.whileLoggingIn))
        }
    }

    package func transferFailed(_ failure: TransferFailure) {
        end(.failed(GatewayError(failure).whileLoggingIn))
    }
}
