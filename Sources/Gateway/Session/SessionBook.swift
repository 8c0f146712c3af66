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
    private let loop: EventLoop
    private var machine: SessionMachine
    private var waiters: [UInt64: (client: any SessionClient, deadline: UInt64)] = [:]
    private var flight: LoginFlight?
    private lazy var refreshTimer = worker.loop.timer { [unowned self] in refreshDue() }
    private lazy var waitTimer = worker.loop.timer { [unowned self] in waitersExpired() }

    let upstream: UpstreamHandle

    init(plan: SessionPlan, upstream: UpstreamHandle, worker: Worker) {
        self.upstream = upstream
        self.plan = plan
        self.worker = worker
        loop = worker.loop
        machine =
            plan.login.isEmpty
            ? SessionMachine(withoutLogin: CredentialGrant(captures: [], fingerprint: []), limits: plan.limits)
            : SessionMachine(limits: plan.limits)
    }

    var status: SessionStatus { machine.status(now: loop.now) }

    func request(by client: any SessionClient, id: UInt64, mayLogIn: Bool) -> SessionVerdict {
        if !mayLogIn {
            guard let credential = machine.credential(now: loop.now, wall: loop.wall.seconds) else {
                return .guest
            }
            return .ready(credential)
        }
        return act(on: machine.exchangeArrived(id, now: loop.now, wall: loop.wall.seconds), client, id)
    }

    func rejected(_ generation: UInt64, by client: any SessionClient, id: UInt64) -> SessionVerdict {
        act(
            on: machine.credentialRejected(
                generation: generation, id, now: loop.now, wall: loop.wall.seconds), client, id)
    }

    /// A credential was refused by an exchange that cannot be replayed: the next one must not meet it again.
    func noteRejected(_ generation: UInt64, id: UInt64) {
        let arrival = machine.credentialRejected(
            generation: generation, id, now: loop.now, wall: loop.wall.seconds)
        machine.waiterLeft(id)
        if let flight = arrival.startLogin { startLogin(flight) }
    }

    func left(_ id: UInt64) {
        if waiters.removeValue(forKey: id) != nil { machine.waiterLeft(id) }
    }

    /// `POST /sessions/NAME/login`: what was refused is forgotten.
    func operatorReset() { run(machine.operatorReset(now: loop.now)) }

    /// The plan that replaces this one has its own book; whoever waits here is answered by its login.
    func retire() {
        refreshTimer.cancel()
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
            if !waitTimer.isArmed { waitTimer.arm(after: deadline &- loop.now) }
            verdict = .parked
        }
        if let flight = arrival.startLogin { startLogin(flight) }
        return verdict
    }

    private func startLogin(_ number: SessionMachine.Flight) {
        let flight = LoginFlight(number: number, book: self, worker: worker)
        self.flight = flight
        // Not from inside the exchange that asked: its own state must be settled first.
        worker.loop.atEndOfTick { flight.begin() }
    }

    func loginEnded(_ flight: LoginFlight, _ result: LoginResult) {
        guard self.flight === flight else { return }
        self.flight = nil
        let (now, jitter) = (loop.now, worker.jitter())
        var outcome = result
        switch result {
        case .succeeded(let grant):
            worker.redact(grant.captures)
            let failures = machine.logins.failed
            let actions = machine.loginSucceeded(flight.number, grant, now: now, jitter: jitter)
            // A login that brings the credential which was just rejected has failed, whatever its answer said.
            if machine.logins.failed > failures, let error = machine.lastError { outcome = .failed(error) }
            run(actions)
        case .failed(let error): run(machine.loginFailed(flight.number, error, now: now, jitter: jitter))
        case .refused(let error): run(machine.loginRefused(flight.number, error))
        }
        worker.sessionChanged(self, outcome)
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
                let now = loop.now
                refreshTimer.arm(after: at > now ? at - now : 1)
            }
        }
    }

    private func take(_ id: UInt64) -> (any SessionClient)? { waiters.removeValue(forKey: id)?.client }

    private func refreshDue() { run(machine.refreshDue(now: loop.now)) }

    private func waitersExpired() {
        let now = loop.now
        for (id, waiter) in waiters where waiter.deadline <= now {
            worker.metrics.limitRefused(.sessionWait)
            if let action = machine.waiterExpired(id) { run([action]) }
        }
        if let next = waiters.values.map(\.deadline).min() { waitTimer.arm(after: next > now ? next - now : 1) }
    }
}
