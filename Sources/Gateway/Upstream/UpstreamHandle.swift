import Bytes
import Domain
import HTTPWire
import LoopKit

/// One upstream at run time: its connections, whether it can be reached, and how its clock stands to ours.
final class UpstreamHandle {
    let plan: UpstreamPlan
    let reachabilityPlan: ReachabilityPlan
    let transport: any UpstreamTransport
    let metrics: UpstreamMetrics
    private unowned let worker: Worker
    private let loop: EventLoop
    private var machine: ReachabilityMachine
    private(set) var clock = ClockOffset()
    private lazy var probe = Probe(upstream: self, worker: worker)
    var retryBudget = RetryBudget()

    init(plan: UpstreamPlan, reachability: ReachabilityPlan, worker: Worker) {
        self.plan = plan
        self.worker = worker
        loop = worker.loop
        reachabilityPlan = reachability
        machine = ReachabilityMachine(plan: reachability)
        transport = UpstreamTransports.make(loop: worker.loop, plan: plan)
        metrics = worker.metrics.upstream(plan.name)
    }

    /// Starts the active probe when the config has one.
    func activate() { probe.schedule() }

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
