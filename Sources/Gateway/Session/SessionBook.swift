import Bytes
import Domain
import Expressions
import LoopKit

/// What an exchange hears when it asks for a credential.
enum SessionVerdict {
    case ready(CredentialSnapshot)
    /// The route does not insist on a session and there is none.
    case guest
    /// `sessionReady` or `sessionFailed` follows.
    case parked
    case failed(GatewayError)
}

/// Waits for a credential.
protocol SessionClient: AnyObject {
    func sessionReady(_ credential: CredentialSnapshot)
    func sessionFailed(_ error: GatewayError)
}

/// Drives one session: the machine decides, this starts logins, keeps timers and tells those who wait.
final class SessionBook {
    let plan: SessionPlan
    private unowned let worker: Worker
    private var machine: SessionMachine
    private var waiters: [UInt64: (client: any SessionClient, deadline: UInt64)] = [:]
    private var flight: LoginFlight?
    private lazy var refreshTimer = worker.loop.timer { [unowned self] in refreshDue() }
    private lazy var waitTimer = worker.loop.timer { [unowned self] in waitersExpired() }

    let upstream: UpstreamHandle
    /// The upstreams that the login talks to, by index in the plan.
    let handles: [Int: UpstreamHandle]
    /// What the newest credential was made of, also after it was refused: its refresh token may still serve.
    private var captures: [CapturedValue] = []
    /// Cookies of the newest credential.
    private var jar = CookieJar()
    private var generation: UInt64 = 0
    private var answer: [UInt8]?
    private var isActive = false
    private var tokenFile: TokenFileWatch?
    private(set) var store: SessionStore?
    private lazy var digest = DigestGate(book: self, worker: worker)
    /// Newest `DPoP-Nonce` of the API and of the server that gives tokens: each has its own (RFC 9449 8, 9).
    var dpopNonce: [UInt8]?
    var dpopLoginNonce: [UInt8]?

    init(plan: SessionPlan, upstreams: [UpstreamHandle], worker: Worker) {
        upstream = upstreams[plan.upstream]
        handles = Dictionary(plan.upstreams.map { ($0, upstreams[$0]) }) { first, _ in first }
        tokenFile = plan.renewal.source.flatMap { TokenFileWatch($0) }
        store = plan.store.map { SessionStore($0) }
        self.plan = plan
        self.worker = worker
        machine =
            plan.hasLogin
            ? SessionMachine(limits: plan.limits)
            : SessionMachine(withoutLogin: CredentialGrant(captures: [], fingerprint: []), limits: plan.limits)
    }

    /// Goes on with the session that an earlier run has left. Called again after each reload, where it does nothing.
    func activate() {
        guard let store, !isActive else { return }
        isActive = true
        let wall = worker.loop.wall.seconds
        guard let record = store.load(),
            let grant = record.grant(names: plan.captureNames, wall: wall, keepsCookies: plan.keepsCookies)
        else { return worker.storeChanged(self, store, nil) }
        worker.redact(grant.captures)
        worker.redact(record.jar.values)
        (captures, jar) = (grant.captures, record.jar)
        // Its refresh token may serve where the rest is over.
        if !record.isExpired(wall: wall) {
            run(machine.restored(grant, now: worker.loop.now, jitter: worker.jitter()))
        }
        generation = machine.generation
        worker.storeChanged(self, store, record)
    }

    var status: SessionStatus {
        var status = machine.status(now: worker.loop.now)
        if plan.digest != nil, let refusal = digest.state.refusal {
            (status.state, status.lastError) = (.refused, refusal)
        }
        return status
    }

    func handle(_ upstream: Int) -> UpstreamHandle { handles[upstream] ?? self.upstream }

    /// A reload may go on with this book: the same recipe at the same upstreams.
    func serves(_ plan: SessionPlan, _ upstreams: [UpstreamHandle]) -> Bool {
        self.plan.name == plan.name && self.plan.fingerprint == plan.fingerprint && plan.upstream == self.plan.upstream
            && handles.allSatisfy { upstreams.indices.contains($0.key) && upstreams[$0.key] === $0.value }
    }

    /// The jar as it goes with a request under this credential; `nil` where the session keeps none.
    func cookies(for credential: CredentialSnapshot?) -> SessionCookies? {
        guard plan.keepsCookies, credential?.generation == generation else { return nil }
        return SessionCookies(jar: jar, site: CookieSite(upstream.plan))
    }

    func request(by client: any SessionClient, id: UInt64, mayLogIn: Bool) -> SessionVerdict {
        if tokenFile?.hasChanged(worker.loop.now) == true { run(machine.operatorReset(now: worker.loop.now)) }
        if plan.digest != nil, let verdict = digest.verdict(for: id, client) { return verdict }
        if !mayLogIn {
            guard let credential = machine.credential(now: worker.loop.now, wall: worker.loop.wall.seconds) else {
                return .guest
            }
            return .ready(credential)
        }
        return act(on: machine.exchangeArrived(id, now: worker.loop.now, wall: worker.loop.wall.seconds), client, id)
    }

    /// Answers the upstream's challenge in a finished draft; tells the nonce that it goes out with.
    func answerChallenge(_ draft: RequestDraft, _ scope: ExchangeScope, id: UInt64) throws(GatewayError) -> [UInt8]? {
        guard let plan = plan.digest else { return nil }
        return try digest.authorize(draft, scope, plan, id: id)
    }

    /// What an answer says about HTTP Digest.
    func digestAnswered(_ head: UpstreamHead, sent: [UInt8]?, id: UInt64) -> DigestSession.Verdict {
        guard plan.digest != nil else { return .pass }
        let wasRefused = digest.state.refusal != nil
        let verdict = digest.answered(head, sent: sent, id: id)
        if !wasRefused, let refusal = digest.state.refusal { worker.sessionChanged(self, .refused(refusal)) }
        return verdict
    }

    /// Whatever it was, nobody has to wait for it any longer.
    func exchangeEnded(_ id: UInt64) {
        if plan.digest != nil { digest.ended(id) }
    }

    /// Why nothing is tried any more.
    var digestRefusal: GatewayError? { plan.digest == nil ? nil : digest.state.refusal }

    /// The upstream refused the credential of this generation. The verdict is about the replay.
    func refused(
        _ verdict: CredentialVerdict, _ generation: UInt64, by client: any SessionClient, id: UInt64
    ) -> SessionVerdict { act(on: refused(verdict, generation, id), client, id) }

    /// False: the rejection is the upstream's word to this client only, see `SessionMachine.mayRenew`.
    func mayRenew(afterRejectionOf generation: UInt64) -> Bool {
        machine.mayRenew(afterRejectionOf: generation, now: worker.loop.now)
    }

    /// The same, met by an exchange that cannot be replayed: the next one must not meet it again.
    func note(_ verdict: CredentialVerdict, _ generation: UInt64, by client: any SessionClient, id: UInt64) {
        let arrival = refused(verdict, generation, id)
        machine.waiterLeft(id)
        if let flight = arrival.startLogin { startLogin(flight) }
    }

    private func refused(
        _ verdict: CredentialVerdict, _ generation: UInt64, _ id: UInt64
    ) -> SessionMachine.Arrival {
        let (now, wall) = (worker.loop.now, worker.loop.wall.seconds)
        switch verdict {
        case .expired: return machine.credentialRejected(generation: generation, id, now: now, wall: wall)
        case .taken(let policy):
            return machine.credentialTaken(generation: generation, id, policy: policy, now: now, wall: wall)
        }
    }

    func left(_ id: UInt64) {
        if waiters.removeValue(forKey: id) != nil { machine.waiterLeft(id) }
    }

    /// `POST /sessions/NAME/login`: what was refused is forgotten. `answer`: what a person says to `human:`.
    func operatorReset(answer: [UInt8]? = nil) {
        self.answer = answer
        if plan.digest != nil { digest.reset() }
        run(machine.operatorReset(now: worker.loop.now))
        self.answer = nil
    }

    /// The plan that replaces this one has its own book; whoever waits here is answered by its login.
    func retire() {
        refreshTimer.cancel()
        // The next book has the file now.
        store = nil
        // Nobody waits for a login that waits for a person, and it would ask for a long time.
        if status.state == .loginRequired {
            flight?.cancel()
            flight = nil
        }
    }

    private func act(
        on arrival: SessionMachine.Arrival, _ client: any SessionClient, _ id: UInt64
    ) -> SessionVerdict {
        let verdict: SessionVerdict
        switch arrival.verdict {
        case .proceed(let credential): verdict = .ready(credential)
        case .failExchange(let error):
            if error.kind == .sessionPending { worker.metrics.limitRefused(.sessionWait) }
            verdict = .failed(error)
        case .park(let deadline):
            waiters[id] = (client, deadline)
            if !waitTimer.isArmed { waitTimer.arm(after: deadline &- worker.loop.now) }
            verdict = .parked
        }
        if let flight = arrival.startLogin { startLogin(flight) }
        return verdict
    }

    private func startLogin(_ number: SessionMachine.Flight) {
        tokenFile?.note()
        let start = LoginStart(captures: captures, jar: jar, answer: answer)
        let flight = LoginFlight(number: number, book: self, start: start, worker: worker)
        self.flight = flight
        // Not from inside the exchange that asked: its own state must be settled first.
        worker.loop.atEndOfTick { flight.begin() }
    }

    func loginEnded(_ flight: LoginFlight, _ result: LoginResult) {
        guard self.flight === flight else { return }
        self.flight = nil
        let (now, jitter) = (worker.loop.now, worker.jitter())
        var outcome = result
        switch result {
        case .succeeded(let grant):
            worker.redact(grant.captures)
            if plan.keepsCookies { worker.redact(flight.jar.values) }
            // Also when the machine finds it stale: a refresh token that was spent is gone.
            captures = grant.captures
            save(grant, flight)
            let failures = machine.logins.failed
            let actions = machine.loginSucceeded(flight.number, grant, now: now, jitter: jitter)
            // A login that brings the credential which was just rejected has failed, whatever its answer said.
            if machine.logins.failed > failures, let error = machine.lastError { outcome = .failed(error) }
            if machine.generation != generation { (generation, jar) = (machine.generation, flight.jar) }
            run(actions)
        case .failed(let error): run(machine.loginFailed(flight.number, error, now: now, jitter: jitter))
        case .refused(let error):
            captures = []
            store?.forget()
            run(machine.loginRefused(flight.number, error))
        }
        worker.sessionChanged(self, outcome)
    }

    private func save(_ grant: CredentialGrant, _ flight: LoginFlight) {
        guard let store else { return }
        store.save(
            SessionRecord(grant, names: plan.captureNames, jar: flight.jar, wall: worker.loop.wall.seconds))
        if case .failed = store.state { worker.storeChanged(self, store, nil) }
    }

    /// The flight goes on, but a person has to do something first.
    func loginWaits(_ flight: LoginFlight, _ error: GatewayError) {
        guard self.flight === flight else { return }
        if machine.status(now: worker.loop.now).action != error.detail { worker.sessionWaits(self, error) }
        run(machine.loginWaits(flight.number, error))
    }

    private func run(_ actions: [SessionMachine.Action]) {
        for action in actions {
            switch action {
            case .startLogin(let flight): startLogin(flight)
            case .cancelLogin:
                flight?.cancel()
                flight = nil
            case .release(let ids, let credential): for id in ids { take(id)?.sessionReady(credential) }
            case .failAll(let ids, let error): for id in ids { take(id)?.sessionFailed(error) }
            case .failExchange(let id, let error): take(id)?.sessionFailed(error)
            case .scheduleRefresh(let at):
                let now = worker.loop.now
                refreshTimer.arm(after: at > now ? at - now : 1)
            }
        }
    }

    private func take(_ id: UInt64) -> (any SessionClient)? { waiters.removeValue(forKey: id)?.client }

    private func refreshDue() { run(machine.refreshDue(now: worker.loop.now)) }

    private func waitersExpired() {
        let now = worker.loop.now
        for (id, waiter) in waiters where waiter.deadline <= now {
            worker.metrics.limitRefused(.sessionWait)
            if let action = machine.waiterExpired(id) { run([action]) }
        }
        if let next = waiters.values.map(\.deadline).min() { waitTimer.arm(after: next > now ? next - now : 1) }
    }
}
