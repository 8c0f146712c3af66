import Bytes
import Domain
import LoopKit
import Observability
import Redaction

/// One login (or logout) of a session of the gateway, under way.
final class LoginFlight: LoginHost {
    /// Longest wait for what a person answers: text messages and captchas are dead by then.
    static let answerTime: UInt64 = 900_000_000_000
    /// Bytes of an answer's outline in the log and in `/health`.
    private static let longestAnswer = 300

    let number: SessionMachine.Flight
    private unowned let worker: Worker
    private let book: SessionBook
    private let setting: SessionSetting
    private let onEnd: (LoginFlight, LoginResult) -> Void
    private var driver: LoginDriver! = nil
    /// Leave to send, and the upstream that gave it.
    private var ticket: (upstream: UpstreamHandle, ReachabilityMachine.Ticket)?
    private lazy var patience = worker.loop.timer { [weak self] in self?.nobodyAnswered() }

    private(set) var hasBegun = false
    /// What the upstream said where it did not work.
    private var answer: String?
    /// The cookies that the login was given.
    var jar: CookieJar { driver.jar }
    /// Nothing but the refresh was tried yet.
    var isRefreshing: Bool { driver.isRefreshing }
    /// It waits for what a person answers.
    var isAsking: Bool { driver.isAsking }

    init(
        number: SessionMachine.Flight, book: SessionBook, run: LoginRun, worker: Worker,
        onEnd: @escaping (LoginFlight, LoginResult) -> Void
    ) {
        self.number = number
        self.book = book
        self.worker = worker
        self.onEnd = onEnd
        setting = book.setting
        driver = LoginDriver(run, loop: worker.loop, surroundings: setting.surroundings, host: self)
    }

    func begin() {
        hasBegun = true
        driver.begin()
    }

    func cancel() {
        driver.cancel()
        settle()
    }

    private func settle() {
        patience.cancel()
        if let (upstream, ticket) = ticket.take() { upstream.ended(ticket) }
    }

    // MARK: Persons

    /// A person has answered what the current step asks.
    func answer(_ text: [UInt8]) {
        patience.cancel()
        driver.answer(text)
    }

    func loginAsks(_ question: GatewayError) {
        patience.arm(after: Self.answerTime)
        book.loginWaits(self, question)
    }

    func loginWaits(_ error: GatewayError) { book.loginWaits(self, error) }

    private func nobodyAnswered() {
        driver.end(
            .refused(GatewayError(.loginRequired, detail: "nobody answered in time; start the login again")))
    }

    // MARK: LoginHost

    var dpopLoginNonce: [UInt8]? {
        get { book.dpopLoginNonce }
        set { book.dpopLoginNonce = newValue }
    }

    func time(at upstream: Int) -> (seconds: Int64, nanoseconds: Int32) {
        worker.upstreamTime(setting.upstreams[upstream])
    }

    func ahead(of upstream: Int) -> Int64 { setting.upstreams[upstream].clock.seconds }

    func way(to upstream: Int) throws(GatewayError) -> (plan: UpstreamPlan, transport: any UpstreamTransport) {
        let handle = setting.upstreams[upstream]
        switch handle.admit() {
        case .go(let ticket): self.ticket = (handle, ticket)
        case .refuse(let error): throw error
        }
        return (setting.plans[upstream], handle.transport)
    }

    func loginSends(_ request: UpstreamRequest, _ scope: ExchangeScope) {}

    func answered(_ head: UpstreamHead, by upstream: Int, sentAt: UInt64) {
        setting.upstreams[upstream].answered(head, ticket.take()?.1, sentAt: sentAt)
    }

    func error(for failure: TransferFailure, at upstream: Int) -> GatewayError {
        let upstream = setting.upstreams[upstream]
        upstream.failed(failure, ticket.take()?.1)
        return upstream.error(for: failure)
    }

    func adopt(time: Int64, of upstream: Int) -> Bool { worker.adoptRefusedClock(time, setting.upstreams[upstream]) }

    func signatureEchoed(_ echo: SignatureAnswer.Echo, by upstream: Int, _ scope: ExchangeScope) {
        worker.signatureEchoed(echo, setting.upstreams[upstream], scope, attached: nil, id: nil)
    }

    func cookiesRefused(_ jar: CookieJar) { worker.tellRefusals(of: jar, session: book.plan.name) }

    /// Why an answer is no success is often written in it; so may be what it was told, and the token that the recipe did not
    /// find. What is known of them is masked first: the outline takes words apart.
    func loginFailed(_ head: UpstreamHead, _ body: [UInt8]) {
        let (own, known) = (Redactor(driver.delicate), worker.sinks.redactor)
        func mask(_ text: [UInt8]) -> [UInt8] {
            Redactor.masked(text.span, known.ranges(in: text.span) + own.ranges(in: text.span))
        }
        let masked = mask(body)
        let told = Array(AnswerOutline.verdict(head.status, masked).utf8)
        let end = told.count > Self.longestAnswer ? " ..." : ""
        answer = String(decoding: told.prefix(Self.longestAnswer), as: UTF8.self) + end
        guard worker.log.level <= .debug else { return }
        let type = head.fields.first("content-type", folding: true).map { mask(Array($0)) } ?? []
        worker.log.debug(
            "answer to a login that did not work",
            [
                .text("session", book.plan.name), .int("status", head.status),
                .text("type", AnswerOutline.words(type[...])), .text("body", AnswerOutline.text(of: masked)),
            ])
    }

    func loginEnded(_ result: LoginResult) {
        settle()
        switch result {
        case .succeeded: onEnd(self, result)
        case .failed(var error, let wait, let isDoubtful):
            error.answer = answer
            onEnd(self, .failed(error, wait: wait, isDoubtful: isDoubtful))
        case .refused(var error):
            error.answer = answer
            onEnd(self, .refused(error))
        }
    }
}
