import Bytes
import Domain
import LoopKit

/// The active check of one upstream: a GET every so often when the config has a `probe`, and the half-open trial while the
/// breaker is open in any case. Any answer counts as reachable, also a 401 or a 500 (peers 89).
final class Probe: TransferDelegate {
    private unowned let upstream: UpstreamHandle
    private unowned let worker: Worker
    private var transfer: (any UpstreamTransfer)?
    private var ticket: ReachabilityMachine.Ticket?
    private var sentAt: UInt64 = 0
    private lazy var timer = worker.loop.timer { [weak self] in self?.due() }
    private lazy var deadline = worker.loop.timer { [weak self] in self?.timedOut() }

    init(upstream: UpstreamHandle, worker: Worker) {
        self.upstream = upstream
        self.worker = worker
    }

    /// The next regular check; none without a `probe` in the config.
    func schedule() {
        if upstream.reachabilityPlan.probePath == nil { timer.cancel() } else { timer.arm(after: every) }
    }

    /// The upstream is away: look again then, or at the regular time if that is sooner.
    func scheduleTrial(at time: UInt64) {
        let now = worker.loop.now
        let wait = time > now ? time - now : 1
        timer.arm(after: upstream.reachabilityPlan.probePath == nil ? wait : min(wait, every))
    }

    func stop() {
        timer.cancel()
        deadline.cancel()
        transfer?.cancel()
        transfer = nil
    }

    private var every: UInt64 { upstream.reachabilityPlan.probeEvery }

    private func due() {
        guard transfer == nil else { return }
        guard case .go(let ticket) = upstream.admit() else { return scheduleTrial(at: upstream.trialAt ?? 0) }
        self.ticket = ticket
        sentAt = worker.loop.clock
        let path = upstream.reachabilityPlan.probePath ?? [0x2F]
        let request = UpstreamRequest(
            method: Array("GET".utf8), target: upstream.plan.basePath + path, fields: PairBlock(), body: .none,
            isIdempotent: true, wantsFreshConnection: upstream.trialAt != nil)
        deadline.arm(after: upstream.reachabilityPlan.probeTimeout)
        transfer = upstream.transport.start(request, delegate: self)
    }

    private func timedOut() {
        transfer?.cancel()
        transferFailed(
            TransferFailure(
                kind: .firstByteTimeout, requestSent: true, connectionReused: false, detail: "probe timed out"))
    }

    func transferReceivedHead(_ head: UpstreamHead) { upstream.answered(head, ticket.take(), sentAt: sentAt) }
    func transferReceived(_ bytes: Span<UInt8>) -> TransferFlow { .proceed }
    func transferNeedsBody(into buffer: inout [UInt8], limit: Int) -> BodySupply { .end }

    func transferCompleted() {
        transfer = nil
        deadline.cancel()
        schedule()
    }

    func transferFailed(_ failure: TransferFailure) {
        transfer = nil
        deadline.cancel()
        schedule()
        upstream.failed(failure, ticket.take())
    }
}
