import Bytes
package import Domain
package import LoopKit

/// One login with no worker around it: `countersign login`, `check --live`. It sends the same requests as the gateway would
/// and keeps nothing of what they bring.
package final class LoginTrial: LoginHost {
    /// One request of the recipe, as far as it may be told: the target may hold secrets, mask it.
    package struct Step {
        package var method: [UInt8]
        package var target: [UInt8]
        /// `nil`: there was no answer.
        package var status: Int?
    }

    /// The answer of the last step, when it did not work, as far as it may be told. Mask it.
    package struct Answer {
        package var type: [UInt8]
        package var outline: [UInt8]
        package var count: Int
    }

    /// A login that takes longer is of no use to anybody, unless its `login_time` says otherwise.
    private static let longest: UInt64 = 120_000_000_000
    /// A person may take as long as the upstream lets them; this is for the upstream that never says no.
    private static let longestWithPerson: UInt64 = 1_800_000_000_000

    package private(set) var steps: [Step] = []
    /// Seconds by which the upstream's clock is ahead of ours, by its `Date`.
    package var clockOffset: Int64 { clock.seconds }
    /// What must not be shown of the answers: values that were captured, and those that the requests carried.
    package private(set) var delicate: [[UInt8]] = []
    /// The strings that the upstream told to have signed.
    package private(set) var echoes: [SignatureAnswer.Echo] = []
    /// Cookies that were not kept.
    package private(set) var refusals: [CookieRefusal] = []
    /// The upstream refused the time of a signature; seconds by which its clock is ahead.
    package private(set) var adoptedOffset: Int64?
    package private(set) var failedAnswer: Answer?
    private let loop: EventLoop
    private let upstreams: [UpstreamPlan]
    private let session: SessionPlan
    private var driver: LoginDriver! = nil
    private var transports: [Int: any UpstreamTransport] = [:]
    private let onWait: (String) -> Void
    private let onAsk: ((String) -> [UInt8]?)?
    private var told = ""
    private var clock = ClockOffset()
    /// What signatures go by, by upstream.
    private var clocks: [Int: ClockOffset] = [:]
    private let learnsClock: [Bool]
    private var result: LoginResult?
    var dpopLoginNonce: [UInt8]?
    private lazy var deadline = loop.timer { [weak self] in self?.timedOut() }

    /// - Parameters:
    ///   - device: What `run` has for `device`.
    ///   - answer: What a person answers to `human:`.
    ///   - trace: Sees how requests are put together.
    ///   - onAsk: Gets what a step asks from the person who is there; `nil`: nobody is.
    ///   - onWait: Told what a person has to do while the login waits for them.
    package init(
        loop: EventLoop, plan: GatewayPlan, session: SessionPlan, device: [UInt8], answer: [UInt8]? = nil,
        trace: AssemblyTrace? = nil,
        onAsk: ((String) -> [UInt8]?)? = nil, onWait: @escaping (String) -> Void = { _ in }
    ) {
        self.loop = loop
        self.session = session
        self.onWait = onWait
        self.onAsk = onAsk
        upstreams = plan.upstreams
        learnsClock = plan.reachability.map(\.learnsClock)
        let run = LoginRun(plan: session, start: LoginStart(answer: answer, isAttended: onAsk != nil))
        driver = LoginDriver(
            run, loop: loop, surroundings: Surroundings(secrets: plan.secrets, device: device), host: self,
            trace: trace)
    }

    /// Logs in, and runs the loop until that is over.
    package func login() -> LoginResult {
        guard session.hasFullLogin else {
            let reason = session.hasLogin ? "only a seed, which a refresh from here might spend" : "no login"
            return .failed(GatewayError(.internal, detail: "session \(session.name) has \(reason)"))
        }
        let longest = session.needsPerson ? Self.longestWithPerson : Self.longest
        deadline.arm(after: max(longest, session.limits.loginTime))
        loop.atEndOfTick { self.driver.begin() }
        loop.run()
        for transport in transports.values { transport.retire() }
        return result ?? .failed(GatewayError(.internal, detail: "the loop ended first"))
    }

    private func timedOut() {
        driver.cancel()
        loginEnded(.failed(GatewayError(.timeout, detail: "the login took too long").whileLoggingIn))
    }

    // MARK: LoginHost

    func way(to upstream: Int) -> (plan: UpstreamPlan, transport: any UpstreamTransport) {
        let plan = upstreams[upstream]
        let transport = transports[upstream] ?? UpstreamTransports.make(loop: loop, plan: plan)
        transports[upstream] = transport
        return (plan, transport)
    }

    func time(at upstream: Int) -> (seconds: Int64, nanoseconds: Int32) {
        clocks[upstream]?.corrected(loop.wall) ?? loop.wall
    }

    func ahead(of upstream: Int) -> Int64 { clocks[upstream]?.seconds ?? 0 }

    func loginSends(_ request: UpstreamRequest, _ scope: ExchangeScope) {
        delicate += DelicateValues.of(scope.request)
        steps.append(Step(method: request.method, target: request.target))
    }

    func answered(_ head: UpstreamHead, by upstream: Int, sentAt: UInt64) {
        steps[steps.count - 1].status = head.status
        clock.learn(from: head.fields, sentAt: sentAt, receivedAt: loop.clock, wall: loop.wall)
        if learnsClock[upstream] {
            clocks[upstream, default: ClockOffset()].learn(
                from: head.fields, sentAt: sentAt, receivedAt: loop.clock, wall: loop.wall)
        }
    }

    func cookiesRefused(_ jar: CookieJar) { refusals += jar.takeRefusals() }

    func error(for failure: TransferFailure, at upstream: Int) -> GatewayError { GatewayError(failure) }

    func adopt(time: Int64, of upstream: Int) -> Bool {
        guard clocks[upstream, default: ClockOffset()].adopt(upstream: time, wall: loop.wall) else { return false }
        adoptedOffset = clocks[upstream]?.seconds
        return true
    }

    func signatureEchoed(_ echo: SignatureAnswer.Echo, by upstream: Int, _ scope: ExchangeScope) { echoes.append(echo) }

    func loginWaits(_ error: GatewayError) {
        if error.detail != told { onWait(error.detail) }
        told = error.detail
    }

    func loginAsks(_ question: GatewayError) {
        if let answer = onAsk?(question.detail) { driver.answer(answer) } else { driver.end(.refused(question)) }
    }

    func loginFailed(_ head: UpstreamHead, _ body: [UInt8]) {
        let type = head.fields.first("content-type", folding: true).map { AnswerOutline.words($0) } ?? []
        failedAnswer = Answer(type: type, outline: AnswerOutline.text(of: body), count: body.count)
    }

    func loginEnded(_ result: LoginResult) {
        self.result = result
        delicate += driver.delicate
        deadline.cancel()
        loop.stop()
    }
}
