import Bytes
import CurlUpstream
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

    package private(set) var steps: [Step] = []
    /// Seconds by which the upstream's clock is ahead of ours, by its `Date`.
    package var clockOffset: Int64 { clock.seconds }
    private let loop: EventLoop
    private let upstream: UpstreamPlan
    private let session: SessionPlan
    private let scope: ExchangeScope
    private let transport: CurlTransport
    private var run: LoginRun
    private var clock = ClockOffset()
    private var transfer: (any UpstreamTransfer)?
    private var head: UpstreamHead?
    private var body: [UInt8] = []
    private var sentAt: UInt64 = 0
    private var result: LoginResult?
    private lazy var deadline = loop.timer { [weak self] in self?.timedOut() }

    package init(loop: EventLoop, plan: GatewayPlan, session: SessionPlan) {
        self.loop = loop
        self.session = session
        upstream = plan.upstreams[session.upstream]
        run = LoginRun(plan: session)
        scope = ExchangeScope(
            request: LoginRun.emptyDraft, now: loop.wall,
            surroundings: Surroundings(secrets: plan.secrets, device: []))
        transport = CurlTransport(loop: loop, plan: upstream)
    }

    /// Logs in, and runs the loop until that is over.
    package func login() -> LoginResult {
        guard !session.login.isEmpty else {
            return .failed(GatewayError(.internal, detail: "session \(session.name) has no login"))
        }
        deadline.arm(after: Self.longest)
        loop.atEndOfTick { self.begin() }
        loop.run()
        transport.retire()
        return result ?? .failed(GatewayError(.internal, detail: "the loop ended first"))
    }

    private func begin() {
        scope.startAttempt(now: loop.wall)
        do {
            let request = try run.nextRequest(scope, upstream: upstream)
            steps.append(Step(method: request.method, target: request.target))
            (head, body, sentAt) = (nil, [], loop.now)
            transfer = transport.start(request, delegate: self)
        } catch {
            end(.failed(error.whileLoggingIn))
        }
    }

    private func end(_ result: LoginResult) {
        guard self.result == nil else { return }
        self.result = result
        transfer = nil
        deadline.cancel()
        loop.stop()
    }

    private func timedOut() {
        transfer?.cancel()
        end(.failed(GatewayError(.timeout, detail: "the login took longer than two minutes").whileLoggingIn))
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
        case .succeeded(let grant): end(.succeeded(grant))
        case .refused(let error): end(.refused(error))
        case .failed(let error): end(.failed(error.whileLoggingIn))
        }
    }

    package func transferFailed(_ failure: TransferFailure) {
        end(.failed(GatewayError(failure).whileLoggingIn))
    }
}
