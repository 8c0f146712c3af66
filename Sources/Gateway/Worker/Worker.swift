import Bytes
import Cryptography
package import Domain
import Expressions
import HTTPWire
package import LoopKit
import Observability

/// What the command line adds to the config file.
package struct WorkerOptions {
    package var version = "dev"
    /// `run --pin-now`: unix seconds. For tests; said loudly at start.
    package var pinnedNow: (seconds: Int64, nanoseconds: Int32)?
    /// `run --pin-nonce`.
    package var pinnedNonce: [UInt8]?
    /// Stable id of this installation, `device` in expressions.
    package var device: [UInt8] = []
    /// Variables of the environment that were set and are not obeyed; logged at start.
    package var ignoredVariables: [String] = []
    /// Of the config file; logged at start.
    package var warnings: [String] = []
    /// Loads the config file again: a plan, or what is wrong with it, one text per issue.
    package var reload: () -> ReloadOutcome = { .refused([]) }
    package init() {}
}

package enum ReloadOutcome {
    case plan(GatewayPlan, warnings: [String])
    case refused([String])
}

/// One event loop with everything on it: listeners, connections, exchanges, upstreams, sessions. Also the control loop:
/// reload, drain and the admin endpoints are events like any other.
package final class Worker {
    let loop: EventLoop
    let options: WorkerOptions
    let metrics = GatewayMetrics()
    let sinks: LogSinks
    var log: Log { sinks.log }
    private(set) var runtime: PlanRuntime! = nil
    var listeners: [Listener] = []
    var connections: [UInt64: Connection] = [:]
    /// Those of the main listeners.
    private(set) var clients = 0
    private var mostClients = Worker.clientShare
    private(set) var inFlight = 0
    /// Bytes of request bodies that are held whole, and of answers that are looked into.
    private(set) var held = 0
    private(set) lazy var ending = WorkerEnding(self)
    private(set) lazy var farewells = SessionFarewells(self)
    /// Plans so far.
    private(set) var planNumber: UInt64 = 0
    var isDraining: Bool { ending.isDraining }
    private var reportedPauses: UInt64 = 0
    let startedAt: UInt64
    private var nextConnection: UInt64 = 0
    private var nextExchange: UInt64 = 0
    private var sendOrder: UInt64 = 0
    private var dirty: [Connection] = []
    private var flushing: [Connection] = []
    private var resumable: [Connection] = []
    private var isFlushPlanned = false
    private var dateSecond: Int64 = .min
    private var dateText: [UInt8] = []
    private let instance: UInt64
    private(set) lazy var gauges = WorkerGauges.Families(metrics.registry, self)
    private lazy var sweepTimer = loop.timer { [unowned self] in sweep() }
    private lazy var trimTimer = loop.timer { HostProcess.returnFreeMemory() }

    package init(loop: EventLoop, plan: GatewayPlan, options: WorkerOptions) throws(LoopError) {
        self.loop = loop
        self.options = options
        startedAt = loop.now
        instance = SecureRandom.uint64()
        sinks = LogSinks(plan: plan, loop: loop)
        listeners = try Listener.open(plan, loop: loop)
        runtime = PlanRuntime(plan: plan, worker: self, previous: nil)
        for listener in listeners { listener.start(self) }
        activate()
        WorkerGauges.register(self)
    }

    /// Runs until a signal ends it.
    package func run() throws(LoopError) {
        try loop.onSignal(SignalNumber.terminate) { [unowned self] in ending.begin() }
        try loop.onSignal(SignalNumber.interrupt) { [unowned self] in ending.begin() }
        try loop.onSignal(SignalNumber.quit) { [unowned self] in ending.begin() }
        try loop.onSignal(SignalNumber.hangUp) { [unowned self] in reload() }
        try loop.onSignal(SignalNumber.userOne) { [unowned self] in reopenLogs() }
        for listener in listeners { listener.announce(log) }
        if options.pinnedNonce != nil { log.warning("the nonce is pinned: for tests only") }
        if let now = options.pinnedNow {
            log.warning("the clock is pinned: for tests only", [.int("now", now.seconds)])
        }
        for name in options.ignoredVariables { log.warning("environment variable is ignored", [.text("name", name)]) }
        for warning in options.warnings { log.warning("config", [.text("issue", warning)]) }
        log.info("ready", [.text("version", options.version)])
        sinks.flush()
        sweep()
        loop.run()
        sinks.flush()
    }

    // MARK: Connections

    func accept(_ descriptor: Int32, _ peer: PeerAddress, _ listener: Listener) {
        nextConnection += 1
        let connection = Connection(
            worker: self, descriptor: descriptor, peer: peer, listener: listener, number: nextConnection)
        metrics.accepted.add()
        if listener.isMain, case .refuse(let error) = runtime.admission.connection(open: clients) {
            metrics.limitRefused(.connections)
            return connection.turnAway(error)
        }
        connections[nextConnection] = connection
        if listener.isMain { clients += 1 }
        connection.open()
    }

    /// Whether one more connection may be accepted. Clients get half of the descriptors, since each exchange may need a second
    /// one upstream; under shortage those that have nothing to say make room (as nginx does).
    func hasRoom(_ role: ListenerRole, isExhausted: Bool) -> Bool {
        guard isExhausted || (role == .main && clients >= mostClients) else { return true }
        if closeIdle() { return true }
        metrics.limitRefused(.descriptors)
        return false
    }

    /// Connections that the limit on open files leaves to clients.
    private static var clientShare: Int { max(8, Int(clamping: HostProcess.descriptorLimit.soft / 2) - 16) }

    /// Closes some idle clients, at most an eighth: first those that never asked anything, then the longest idle ones.
    private func closeIdle() -> Bool {
        let idle = connections.values.filter { $0.listener.isMain && $0.isIdle }.sorted { $0.isLessUseful(than: $1) }
        for connection in idle.prefix(max(1, min(32, idle.count / 8))) {
            metrics.idleClosed.add()
            connection.close()
        }
        return !idle.isEmpty
    }

    func connectionClosed(_ connection: Connection) {
        // One that was turned away is not among them.
        if connections.removeValue(forKey: connection.number) != nil, connection.listener.isMain { clients -= 1 }
        for listener in listeners { listener.resume() }
        ending.check()
    }

    /// The connection's output leaves at the end of this tick.
    func flushLater(_ connection: Connection) {
        guard !connection.isDirty else { return }
        connection.isDirty = true
        dirty.append(connection)
        planFlush()
    }

    /// The connection has pipelined bytes to work off, outside of the exchange that just ended.
    func resumeLater(_ connection: Connection) {
        resumable.append(connection)
        planFlush()
    }

    private func planFlush() {
        guard !isFlushPlanned else { return }
        isFlushPlanned = true
        loop.atEndOfTick { [unowned self] in flush() }
    }

    private func flush() {
        isFlushPlanned = false
        if !resumable.isEmpty {
            let resuming = resumable
            resumable = []
            for connection in resuming { connection.process() }
        }
        // The two lists change places, so that neither is allocated again in every tick.
        swap(&dirty, &flushing)
        for connection in flushing { connection.flush() }
        flushing.removeAll(keepingCapacity: true)
        sinks.flush()
    }

    // MARK: Exchanges

    func nextExchangeID() -> UInt64 {
        nextExchange += 1
        return nextExchange
    }

    /// Orders the requests that carry a credential by when they were sent.
    func nextSendOrder() -> UInt64 {
        sendOrder += 1
        return sendOrder
    }

    /// `X-Request-Id`: unique among restarts by a random start, among exchanges by a count.
    func idText(_ id: UInt64) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(16)
        let number = instance &+ id
        var shift: UInt64 = 64
        while shift > 0 {
            shift -= 4
            text.append(Hex.lowerDigit(UInt8(truncatingIfNeeded: number >> shift) & 15))
        }
        return text
    }

    func exchangeAdmitted() { inFlight += 1 }

    /// Exchanges under way on routes with this session. A walk over all connections: for reloads.
    func exchanges(of book: SessionBook) -> [Exchange] {
        connections.values.compactMap(\.exchange).filter { $0.route?.session === book }
    }

    /// Room for so many more bytes of a body that is held whole.
    func mayHold(_ count: UInt64) -> Bool { count <= UInt64(clamping: runtime.plan.limits.held - held) }

    func hold(_ count: Int) { held += count }

    /// malloc keeps what a large body took (measured: 369 MiB after one form of 10 MB); a second later it goes back.
    func release(_ count: Int) {
        held -= count
        if count >= Self.largeBody, !trimTimer.isArmed { trimTimer.arm(after: 1_000_000_000) }
    }

    private static let largeBody = 1024 * 1024

    func exchangeEnded() {
        inFlight -= 1
        ending.check()
    }

    /// IMF-fixdate of this second.
    var date: [UInt8] {
        let second = loop.wall.seconds
        if second != dateSecond {
            dateSecond = second
            dateText.removeAll(keepingCapacity: true)
            HTTPDate.append(unix: second, to: &dateText)
        }
        return dateText
    }

    /// Wall clock as the upstream sees it.
    func upstreamTime(_ upstream: UpstreamHandle) -> (seconds: Int64, nanoseconds: Int32) {
        if let pinned = options.pinnedNow { return pinned }
        return upstream.clock.corrected(loop.wall)
    }

    /// Uniform in 0..<1.
    func jitter() -> Double { Double(SecureRandom.uint64() >> 11) / Double(1 << 53) }

    /// The method that goes upstream: a route's `request` may make a POST of a GET.
    func upstreamMethod(_ head: RequestHead, _ route: RouteRuntime?) -> RequestMethod {
        guard let method = route?.plan.shape?.method else { return head.method }
        return RequestMethod(String(decoding: method, as: UTF8.self)) ?? .post
    }

    /// Whether a failed transfer is sent once more, and if not, why.
    func retryVerdict(
        _ failure: TransferFailure, _ exchange: Exchange, _ head: RequestHead, _ upstream: UpstreamHandle
    ) -> RetryPolicy.Verdict {
        var isStreamed = false
        if case .streamed = exchange.bodyMode { isStreamed = head.framing != .none }
        let request = RetryPolicy.Request(
            isIdempotent: upstreamMethod(head, exchange.route).isIdempotent, bodyIsStreamed: isStreamed,
            attempts: exchange.attempts,
            headReceived: exchange.answerHead != nil)
        return RetryPolicy().verdict(failure, request, budget: &upstream.retryBudget, now: loop.now)
    }

    // MARK: Life

    private func activate() {
        for upstream in runtime.upstreams { upstream.activate() }
        for session in runtime.sessions { session.activate() }
    }

    /// SIGUSR1, as nginx has it.
    private func reopenLogs() {
        sinks.reopen()
        log.info("logs reopened")
        sinks.flush()
    }

    func reload() {
        sinks.reopen()
        switch options.reload() {
        case .refused(let issues): reloadFailed(issues)
        case .plan(let plan, let warnings):
            do {
                try adopt(plan)
            } catch {
                return reloadFailed(["\(error)"])
            }
            for warning in warnings { log.warning("config", [.text("issue", warning)]) }
            metrics.reloads.add(to: metrics.reloads.register("done"))
            log.info("reloaded")
        }
        sinks.flush()
    }

    private func reloadFailed(_ issues: [String]) {
        metrics.reloads.add(to: metrics.reloads.register("failed"))
        // The old plan stays. The first issue is in the line itself, the others follow.
        log.error("reload failed", [.int("issues", issues.count), .text("issue", issues.first ?? "")])
        for issue in issues.dropFirst() { log.error("config issue", [.text("issue", issue)]) }
        sinks.flush()
    }

    /// Listeners first, since only they can fail; then everything at once.
    private func adopt(_ plan: GatewayPlan) throws(LoopError) {
        let before = listeners
        listeners = try Listener.open(plan, keeping: before, loop: loop)
        HostProcess.raiseDescriptorLimit(to: plan.limits.descriptors)
        mostClients = Self.clientShare
        for listener in before where !listeners.contains(where: { $0 === listener }) { listener.close() }
        for listener in listeners where !before.contains(where: { $0 === listener }) {
            listener.start(self)
            listener.announce(log)
        }
        let previous = runtime!
        planNumber += 1
        runtime = PlanRuntime(plan: plan, worker: self, previous: previous)
        previous.retire(keeping: runtime)
        sinks.adopt(plan)
        activate()
        WorkerGauges.register(self)
        // The new plan knows no name for them: every further request would be refused.
        for connection in Array(connections.values) where connection.listener.isClosed && connection.isIdle {
            connection.close()
        }
    }

    /// Nothing is planned any more.
    func stopTimers() {
        trimTimer.cancel()
        sweepTimer.cancel()
    }

    private func reportPauses() {
        let pauses = listeners.reduce(0) { $0 + $1.acceptPauses }
        guard pauses > reportedPauses else { return }
        log.warning("out of descriptors: accepting was paused", [.int("pauses", pauses - reportedPauses)])
        reportedPauses = pauses
    }

    private func sweep() {
        log.sweep()
        reportPauses()
        sinks.retry()
        sinks.flush()
        sweepTimer.arm(after: 5_000_000_000)
    }
}
