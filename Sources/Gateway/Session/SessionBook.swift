import Bytes
import Domain
import Expressions
import LoopKit

/// Drives one session: the machine decides, this starts logins, keeps timers and tells those who wait.
final class SessionBook {
    /// Longest time that a value of an ordinary answer is in memory only. Not at once: where each answer brings one, the
    /// disk would be waited for as often.
    private static let saveDelay: UInt64 = 250_000_000

    private(set) var plan: SessionPlan
    private(set) var setting: SessionSetting
    /// Of the plan that brought it: a newer one is a session of its own, also under the same name.
    let planNumber: UInt64
    unowned let worker: Worker
    private var machine: SessionMachine
    private lazy var waiters = SessionWaiters(loop: worker.loop) { [unowned self] in waiterExpired($0) }
    private var flight: LoginFlight?
    private lazy var loginTimer = worker.loop.timer { [unowned self] in loginDue() }
    /// What the newest credential was made of, also after it was refused: its refresh token may still serve.
    private(set) var captures: [CapturedValue] = []
    /// Cookies of the newest credential.
    private(set) var jar = CookieJar()
    private var generation: UInt64 = 0
    private var answer: [UInt8]?
    /// An operator has asked for the login that starts.
    private var isAttended = false
    /// Refreshes in a row that failed for a reason that may pass.
    private var failedRefreshes = 0
    /// What the newest answer told about the end and nobody understood.
    private(set) var expiryProblem: String?
    /// Values that updates have replaced, oldest first: still redacted.
    private var replaced: [[UInt8]] = []
    private lazy var turns = SessionTurns(book: self, worker: worker)
    private(set) lazy var ending = SessionEnding(book: self, worker: worker)
    /// Sessions that a login has replaced while they served, each until its logout is over.
    private var replacedSessions: [SessionEnding] = []
    private lazy var keepalive = SessionKeepalive(book: self, worker: worker)
    private var isActive = false
    private var isRetired = false
    private var tokenFile: TokenFileWatch?
    private(set) var store: SessionStore?
    private lazy var saveTimer = worker.loop.timer { [unowned self] in keep() }
    private(set) lazy var digest = DigestGate(book: self, worker: worker)
    /// Newest `DPoP-Nonce` of the API and of the server that gives tokens: each has its own (RFC 9449 8, 9).
    var dpopNonce: [UInt8]?
    var dpopLoginNonce: [UInt8]?

    init(plan: SessionPlan, _ setting: SessionSetting, worker: Worker) {
        self.setting = setting
        planNumber = worker.planNumber
        tokenFile = plan.renewal.source.flatMap { TokenFileWatch($0) }
        store = plan.store.map { SessionStore($0) }
        self.plan = plan
        self.worker = worker
        captures = plan.seeded(setting.surroundings)
        machine =
            plan.hasLogin
            ? SessionMachine(limits: plan.limits, revives: plan.renewal.source == nil)
            : SessionMachine(
                withoutLogin: CredentialGrant(
                    captures: Array(repeating: .null, count: plan.captureNames.count), fingerprint: []),
                limits: plan.limits)
    }

    /// Goes on with the session that an earlier run has left. Called again after each reload, where it does nothing.
    func activate() {
        guard let store, !isActive else { return }
        isActive = true
        let wall = worker.loop.wall.seconds
        guard let record = store.load() else { return worker.storeChanged(self, store, nil) }
        (captures, jar) = (record.values(names: plan.captureNames), record.jar)
        worker.redact(captures)
        worker.redact(jar.values)
        // Its refresh token may serve where the rest is over, or was captured otherwise.
        if !record.isExpired(wall: wall),
            let grant = record.grant(names: plan.captureNames, wall: wall, keepsCookies: plan.keepsCookies)
        {
            run(machine.restored(grant, now: worker.loop.now, jitter: worker.jitter()))
        }
        generation = machine.generation
        worker.storeChanged(self, store, record)
    }

    var status: SessionStatus {
        var status = machine.status(now: worker.loop.now, wall: worker.loop.wall.seconds)
        if plan.digest != nil, let refusal = digest.state.refusal {
            (status.state, status.lastError) = (.refused, refusal)
        }
        if flight?.isAsking == true { status.attempt = .asking }
        if plan.limits.inFlight > 0 { status.waiting += turns.waitingCount }
        return status
    }

    /// Another plan for the same session: new limits for those who wait as well, and another use of the credential from
    /// now on. A login that is under way goes on.
    func planChanged(_ plan: SessionPlan, _ setting: SessionSetting) {
        let old = self.plan
        (self.plan, self.setting) = (plan, setting)
        run(machine.planChanged(plan.limits, now: worker.loop.now, jitter: worker.jitter()))
        // The upstream that a login waited for may be another one now.
        loginDue()
        turns.limitChanged(from: old.limits.inFlight, out: exchangesOut)
        keepalive.planChanged()
        guard plan.store != old.store else { return }
        saveTimer.cancel()
        store = plan.store.map { SessionStore($0) }
        isActive = machine.generation > 0
        keep()
    }

    /// Those who have asked the session and are not over.
    private var exchangesOut: [UInt64] {
        worker.exchanges(of: self).filter { $0.stage != .receiving }.map(\.id) + [keepalive.request].compactMap(\.self)
    }

    /// The jar as it goes with a request under this credential; `nil` where the session keeps none.
    func cookies(for credential: CredentialSnapshot?) -> SessionCookies? {
        guard plan.keepsCookies, credential?.generation == generation else { return nil }
        return SessionCookies(jar: jar, site: CookieSite(upstream.plan))
    }

    func request(by client: any SessionClient, id: UInt64, mayLogIn: Bool) -> SessionVerdict {
        if plan.keepalive != nil, client !== keepalive { keepalive.used() }
        if tokenFile?.hasChanged(worker.loop.now) == true { run(machine.operatorReset(now: worker.loop.now)) }
        if plan.limits.inFlight > 0, mayLogIn || credential != nil,
            let verdict = turns.verdict(for: id, client, mayLogIn: mayLogIn)
        {
            return verdict
        }
        if plan.digest != nil, let verdict = digest.verdict(for: id, client) { return verdict }
        if !mayLogIn {
            return credential.map { .ready($0) } ?? .guest
        }
        return act(on: machine.exchangeArrived(id, now: worker.loop.now, wall: worker.loop.wall.seconds), client, id)
    }

    /// The one that serves now.
    var credential: CredentialSnapshot? {
        machine.credential(now: worker.loop.now, wall: worker.loop.wall.seconds)
    }

    /// Whatever it was, nobody has to wait for it any longer.
    func exchangeEnded(_ id: UInt64) {
        if plan.digest != nil { digest.ended(id) }
        if turns.areInUse { turns.ended(id) }
        if isRetired { ending.ended(id) }
        for ending in replacedSessions { ending.ended(id) }
    }

    /// The upstream took the credential of this generation.
    func served(_ generation: UInt64) { machine.credentialServed(generation: generation) }

    /// An answer brought new values. `order`: which request it answers, of those that this worker sent.
    func absorb(_ update: CredentialUpdate, sentUnder sent: UInt64, order: UInt64) {
        let old = credential?.captures ?? []
        run(
            machine.credentialUpdated(
                update, sentUnder: sent, order: order, now: worker.loop.now, jitter: worker.jitter()))
        if let problem = update.expiryProblem { worker.expiryNotUnderstood(self, problem) }
        expiryProblem = update.expiryProblem ?? expiryProblem
        guard machine.generation != generation, let credential else { return }
        (generation, captures) = (machine.generation, credential.captures)
        // A crash must not cost the token, and no answer waits for the disk.
        if store != nil, !saveTimer.isArmed { saveTimer.arm(after: Self.saveDelay) }
        worker.redact(captures)
        for change in update.changes where old.indices.contains(change.slot) {
            if let text = old[change.slot].value.contents { replaced.append(Array(text)) }
        }
        // A token per answer must not drive those of other sessions out of the redactor.
        guard replaced.count > 64 else { return }
        worker.unredact(replaced.prefix(32), but: captures)
        replaced.removeFirst(32)
    }

    /// The upstream refused the credential of this generation. The verdict is about the replay.
    func refused(
        _ verdict: CredentialVerdict, _ generation: UInt64, by client: any SessionClient, id: UInt64
    ) -> SessionVerdict { act(on: refused(verdict, generation, id), client, id) }

    /// Why the rejection is the upstream's word to this client only, see `SessionMachine.objection`.
    func objection(toRenewalAfter generation: UInt64) -> ReplayLedger.Reason? {
        machine.objection(toRenewalAfter: generation, now: worker.loop.now)
    }

    /// The same, met by an exchange that cannot be replayed: the next one must not meet it again.
    func note(_ verdict: CredentialVerdict, _ generation: UInt64, by client: any SessionClient, id: UInt64) {
        let arrival = refused(verdict, generation, id)
        machine.waiterLeft(id)
        follow(arrival)
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
        if waiters.take(id) != nil { machine.waiterLeft(id) }
    }

    /// `POST /sessions/NAME/login`: what was refused is forgotten. `answer`: what a person says to `human:`.
    func operatorReset(answer: [UInt8]? = nil) throws(GatewayError) {
        if let answer, let flight, flight.isAsking {
            machine.personActed(flight.number)
            return flight.answer(answer)
        }
        if let error = loginRefusal(hasAnswer: answer != nil) { throw error }
        // A form that is sent again and again must not send text messages or wear out somebody's patience.
        if plan.needsPerson, var error = machine.windowRefusal(now: worker.loop.now) {
            error.status = 429
            throw error
        }
        (self.answer, isAttended) = (answer, true)
        if plan.digest != nil { digest.reset() }
        run(machine.operatorReset(now: worker.loop.now, keepsWindow: plan.needsPerson))
        (self.answer, isAttended) = (nil, false)
    }

    /// The plan that replaces this one has its own book; whoever waits here is answered by its login.
    func retire() {
        isRetired = true
        loginTimer.cancel()
        if saveTimer.isArmed { keep() }
        keepalive.stop()
        // Nobody waits for a login that waits for a person, and it would ask for a long time.
        if status.state == .loginRequired || flight?.isAsking == true {
            flight?.cancel()
            flight = nil
        }
        if !plan.renewal.logout.isEmpty { worker.farewells.retired(self) }
    }

    /// It has a credential, or is about to get one.
    var hasBegun: Bool { machine.generation > 0 || flight?.hasBegun == true }
    var isLoggingIn: Bool { flight != nil }

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
            waiters.add(client, id, until: deadline)
            verdict = .parked
        }
        follow(arrival)
        return verdict
    }

    private func follow(_ arrival: SessionMachine.Arrival) {
        if let flight = arrival.startLogin { return startLogin(flight) }
        if case .failExchange = arrival.verdict, let at = machine.loginAt { schedule(at) }
    }

    private func startLogin(_ number: SessionMachine.Flight) {
        tokenFile?.note()
        if let record = store?.loadIfChanged() {
            (captures, jar) = (record.values(names: plan.captureNames), record.jar)
        }
        let flight = LoginFlight(number: number, book: self, run: nextLogin, worker: worker) { [self] in
            loginEnded($0, $1)
        }
        self.flight = flight
        // Not from inside the exchange that asked: its own state must be settled first.
        worker.loop.atEndOfTick { [self] in worker.farewells.before(loginOf: self) { flight.begin() } }
    }

    private var nextLogin: LoginRun {
        LoginRun(
            plan: plan,
            start: LoginStart(
                captures: captures, jar: jar, answer: answer, isAttended: isAttended,
                skipsRefresh: isAttended || mustLogIn || (credential == nil && !plan.renewal.refreshesExpired)))
    }

    /// A refresh would bring what nobody takes; or it does not come back, and nothing serves meanwhile. A full login that
    /// fails gives the refresh three tries again.
    private var mustLogIn: Bool {
        (machine.wantsLogin || failedRefreshes >= 3 && credential == nil) && !plan.needsPerson
    }

    private func loginEnded(_ flight: LoginFlight, _ result: LoginResult) {
        guard self.flight === flight else { return }
        self.flight = nil
        let (now, jitter) = (worker.loop.now, worker.jitter())
        var outcome = result
        if case .failed = result, flight.isRefreshing { failedRefreshes += 1 } else { failedRefreshes = 0 }
        switch result {
        case .succeeded(let grant):
            worker.redact(grant.captures)
            if plan.keepsCookies { worker.redact(flight.jar.values) }
            // Also when the machine finds it stale: a refresh token that was spent is gone.
            (captures, expiryProblem) = (grant.captures, grant.expiryProblem)
            save(grant, flight.jar)
            let (failures, old) = (machine.logins.failed, credential)
            let actions = machine.loginSucceeded(
                flight.number, grant, byRefresh: flight.isRefreshing, now: now, jitter: jitter)
            // A file that holds the credential which was just rejected brought none, whatever it says.
            if machine.logins.failed > failures, let error = machine.lastError { outcome = .failed(error) }
            if machine.isRevived { worker.credentialRevived(self) }
            if !flight.isRefreshing, let old, old.fingerprint != grant.fingerprint,
                !plan.attachesTheSame(old.captures, grant.captures)
            {
                logOutReplaced(old, jar)
            }
            if machine.generation != generation { (generation, jar) = (machine.generation, flight.jar) }
            run(actions)
        case .failed(let error, let wait, let isDoubtful):
            run(
                machine.loginFailed(
                    flight.number, error, wait: wait ?? 0, isDoubtful: isDoubtful, now: now, jitter: jitter))
        case .refused(let error):
            captures = plan.seeded(setting.surroundings)
            store?.forget()
            run(machine.loginRefused(flight.number, error))
        }
        worker.sessionChanged(self, outcome)
        if isRetired { ending.check() }
    }

    /// A login has taken the place of a session that still serves: it ends when nobody is out with it any more.
    private func logOutReplaced(_ old: CredentialSnapshot, _ jar: CookieJar) {
        guard !plan.renewal.logout.isEmpty else { return }
        let run = LoginRun(logoutOf: plan, captures: old.captures, jar: jar)
        replacedSessions.append(
            SessionEnding(book: self, worker: worker, replaced: run, out: exchangesOut) { [weak self] over in
                self?.replacedSessions.removeAll { $0 === over }
            })
    }

    /// What answers have changed since the login is kept too.
    func keep() {
        saveTimer.cancel()
        guard let credential, plan.hasLogin else { return }
        let grant = CredentialGrant(
            captures: credential.captures, fingerprint: [], wallExpiry: credential.wallExpiry)
        save(grant, jar)
    }

    private func save(_ grant: CredentialGrant, _ jar: CookieJar) {
        guard let store else { return }
        store.save(SessionRecord(grant, names: plan.captureNames, jar: jar, wall: worker.loop.wall.seconds))
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
            case .release(let ids, let credential): for id in ids { waiters.take(id)?.sessionReady(credential) }
            case .failAll(let ids, let error): for id in ids { waiters.take(id)?.sessionFailed(error) }
            case .failExchange(let id, let error): waiters.take(id)?.sessionFailed(error)
            case .scheduleLogin(let at): schedule(at)
            }
        }
    }

    private func schedule(_ time: UInt64) {
        // A login that was under way at the reload may have ended since.
        guard !isRetired else { return }
        loginTimer.arm(after: time > worker.loop.now ? time - worker.loop.now : 1)
    }

    /// Starts the login that comes by itself, if its time has come. While an upstream that it needs is away it would only
    /// fail: the breaker looks for its return, and this is called again then.
    func loginDue() {
        guard !isRetired, !worker.isDraining, machine.loginAt != nil, !isAway(nextLogin) else { return }
        run(machine.loginDue(now: worker.loop.now))
    }

    private func waiterExpired(_ id: UInt64) {
        worker.metrics.limitRefused(.sessionWait)
        if let action = machine.waiterExpired(id) { run([action]) }
    }
}
