import Bytes
import Domain
import HTTPWire
import LoopKit

/// Waits for a place among an upstream's requests in flight.
protocol PlaceClient: AnyObject {
    /// It has a place, and gives it back with `leave()`.
    func placeGranted()
    func placeRefused(_ error: GatewayError)
}

/// One upstream at run time: its connections and the places on them, whether it can be reached, and how its clock stands to
/// ours.
final class UpstreamHandle {
    private(set) var plan: UpstreamPlan
    private(set) var reachabilityPlan: ReachabilityPlan
    let transport: any UpstreamTransport
    let metrics: UpstreamMetrics
    private unowned let worker: Worker
    private let loop: EventLoop
    private var machine: ReachabilityMachine
    private(set) var clock = ClockOffset()
    private var places: PlaceQueue
    private var waiters: [UInt64: any PlaceClient] = [:]
    private var isPassingOn = false
    private var isActive = false
    private lazy var placeTimer = loop.timer { [unowned self] in expireWaiters() }
    private lazy var probe = Probe(upstream: self, worker: worker)
    var retryBudget = RetryBudget()

    init(plan: UpstreamPlan, reachability: ReachabilityPlan, worker: Worker) {
        self.plan = plan
        places = PlaceQueue(plan: plan)
        self.worker = worker
        loop = worker.loop
        reachabilityPlan = reachability
        machine = ReachabilityMachine(plan: reachability)
        transport = UpstreamTransports.make(loop: worker.loop, plan: plan)
        metrics = worker.metrics.upstream(plan.name)
    }

    /// Starts the active probe when the config has one. Called again after each reload, where it does nothing.
    func activate() {
        guard !isActive else { return }
        isActive = true
        probe.schedule()
    }

    /// A reload goes on with connections, places and breaker when it leads the same way; the rest changes under them.
    func serves(_ plan: UpstreamPlan) -> Bool {
        self.plan.name == plan.name && self.plan.way == plan.way
    }

    /// The plan changes, on the same way.
    func planChanged(_ plan: UpstreamPlan, _ reachability: ReachabilityPlan) {
        self.plan = plan
        transport.planChanged(plan)
        places.planChanged(plan)
        if places.waiting > 0 { passPlacesOnLater() }
        guard reachability != reachabilityPlan else { return }
        if reachabilityPlan.learnsClock, !reachability.learnsClock { clock = ClockOffset() }
        reachabilityPlan = reachability
        machine.planChanged(reachability)
        // An open breaker has its trial planned already.
        if let trialAt { probe.scheduleTrial(at: trialAt) } else { probe.schedule() }
    }

    func retire() {
        probe.stop()
        transport.retire()
    }

    var status: ReachabilityStatus { machine.status(now: loop.now) }

    /// The answer while the breaker is open; nil when a request may at least try.
    func refusal() -> GatewayError? {
        guard let until = machine.trialAt, until > loop.now else { return nil }
        return GatewayError(
            .offline, detail: machine.lastFailure.map { GatewayError($0).detail } ?? "unreachable", retry: .safe,
            retryAfter: until - loop.now)
    }

    /// When the next half-open trial may start.
    var trialAt: UInt64? { machine.trialAt }

    // MARK: Places

    /// Exchanges that wait for a place.
    var waiting: Int { places.waiting }

    /// A place for an exchange; logins and probes need none, or they would wait behind those that wait for them. After
    /// `.wait` the client hears more, unless it withdraws; `.refuse` was an error of this kind: `overloaded`.
    func requestPlace(for client: any PlaceClient, _ id: UInt64, isFirst: Bool) -> PlaceQueue.Verdict {
        let verdict = places.request(id, isFirst: isFirst, now: loop.now)
        if verdict == .wait {
            waiters[id] = client
            armPlaceTimer()
        }
        return verdict
    }

    /// A place is given back.
    func leave() {
        places.leave(now: loop.now)
        if places.waiting > 0 { passPlacesOnLater() }
    }

    private func passPlacesOnLater() {
        guard !isPassingOn else { return }
        isPassingOn = true
        // Not from here: whoever goes next may be through at once, and the one after it.
        loop.atEndOfTick { self.passPlacesOn() }
    }

    func withdraw(_ id: UInt64) {
        places.withdraw(id)
        waiters[id] = nil
    }

    /// The answer to one that gets no place.
    func noPlace(_ why: String) -> GatewayError {
        metrics.failed(.overloaded)
        return GatewayError(
            TransferFailure(kind: .overloaded, requestSent: false, connectionReused: false, detail: why)
        ).withRetryAfter(max(places.timeToServe(now: loop.now), 1_000_000_000))
    }

    private func passPlacesOn() {
        isPassingOn = false
        while let id = places.next() {
            guard let client = waiters.removeValue(forKey: id) else {
                places.leave(now: loop.now)
                continue
            }
            client.placeGranted()
        }
        armPlaceTimer()
    }

    private func expireWaiters() {
        while let id = places.expired(now: loop.now) {
            waiters.removeValue(forKey: id)?.placeRefused(noPlace("waited too long for a place"))
        }
        armPlaceTimer()
    }

    private func armPlaceTimer() {
        guard let deadline = places.deadline else { return }
        placeTimer.arm(after: deadline > loop.now ? deadline - loop.now : 0)
    }

    // MARK: Reachability

    /// May a transfer start?
    func admit() -> ReachabilityMachine.Admission { machine.admit(now: loop.now) }

    /// Any final answer proves that the upstream can be reached, whatever its status (peers 89).
    func answered(_ head: UpstreamHead, _ ticket: ReachabilityMachine.Ticket?, sentAt: UInt64) {
        if let ticket { changed(machine.transferSucceeded(ticket)) }
        let now = loop.clock
        metrics.answered(after: now &- sentAt)
        guard reachabilityPlan.learnsClock, head.fields.first("age", folding: true) == nil,
            let date = head.fields.first("date", folding: true), let seconds = HTTPDate.parse(date.span)
        else { return }
        clock.learn(upstream: seconds, sentAt: sentAt, receivedAt: now, wall: loop.wall)
    }

    /// The upstream refused a signature for its time; `seconds` is what its own clock says. False: not believed.
    func adoptClock(_ seconds: Int64) -> Bool { clock.adopt(upstream: seconds, wall: worker.loop.wall) }

    func failed(_ failure: TransferFailure, _ ticket: ReachabilityMachine.Ticket?) {
        metrics.failed(GatewayError(failure).kind)
        guard let ticket else { return }
        changed(machine.transferFailed(ticket, failure, now: loop.now, jitter: worker.jitter()))
    }

    /// A transfer that ended without evidence (its client left).
    func ended(_ ticket: ReachabilityMachine.Ticket) { changed(machine.transferEnded(ticket, now: loop.now)) }

    /// What a client is told: the failure itself, with the breaker's wait once it is open.
    func error(for failure: TransferFailure) -> GatewayError {
        let error = GatewayError(failure)
        guard error.kind.isTransport, let until = machine.trialAt else { return error }
        return error.withRetryAfter(until > loop.now ? until - loop.now : 0)
    }

    /// While the breaker is open a probe is the trial, so that the return is noticed without a client.
    private func changed(_ change: ReachabilityMachine.Change?) {
        guard let change else { return }
        switch change {
        case .wentDown(let trialAt):
            worker.reachabilityChanged(self, isUp: false)
            probe.scheduleTrial(at: trialAt)
        case .stillDown(let trialAt): probe.scheduleTrial(at: trialAt)
        case .cameUp:
            worker.reachabilityChanged(self, isUp: true)
            probe.schedule()
        }
    }
}
