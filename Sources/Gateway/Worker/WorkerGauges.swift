import Bytes
import Domain
import LoopKit
import Observability

/// Numbers that are read when somebody looks.
enum WorkerGauges {
    static func register(_ worker: Worker) {
        let gauges = worker.gauges
        for upstream in worker.runtime.upstreams { register(upstream, of: worker, in: gauges) }
        for session in worker.runtime.sessions { register(session, of: worker, in: gauges) }
    }

    // The metrics belong to the worker, so that its closures may be `unowned`; a `weak` reference would make every later
    // retain of a hot object slow (see `ByteSocket.delegate`). Upstreams and sessions come and go with plans: by name.

    private static func register(_ upstream: UpstreamHandle, of worker: Worker, in gauges: Families) {
        let name = upstream.plan.name
        let label = [Array(name.utf8)]
        func observe(_ metric: FunctionMetric, _ read: @escaping (UpstreamHandle) -> Double) {
            metric.observe(label) { [unowned worker] in
                worker.runtime.upstreams.first { $0.plan.name == name }.map(read)
            }
        }
        observe(gauges.breaker) { Double($0.status.breaker.gauge) }
        observe(gauges.upstreamInFlight) { Double($0.transport.gauges.inFlight) }
        observe(gauges.upstreamQueued) { Double($0.waiting) }
        observe(gauges.upstreamConnections) { Double($0.transport.gauges.connectionsOpened) }
        observe(gauges.clockOffset) { Double($0.clock.seconds) }
    }

    private static func register(_ book: SessionBook, of worker: Worker, in gauges: Families) {
        let name = book.plan.name
        let label = Array(name.utf8)
        func observe(_ metric: FunctionMetric, _ more: [[UInt8]] = [], _ read: @escaping (SessionBook) -> Double?) {
            metric.observe([label] + more) { [unowned worker] in
                worker.runtime.sessions.first { $0.plan.name == name }.flatMap(read)
            }
        }
        for state in SessionStatus.State.allCases {
            observe(gauges.sessionState, [Array(state.rawValue.utf8)]) { $0.status.state == state ? 1 : 0 }
        }
        observe(gauges.sessionGeneration) { Double($0.status.generation) }
        observe(gauges.sessionExpiry) { $0.status.expiresIn.map { Double($0) / 1e9 } }
        observe(gauges.waiting) { Double($0.status.waiting) }
    }

    /// Families of gauges, made once.
    final class Families {
        let breaker, upstreamInFlight, upstreamQueued, upstreamConnections, clockOffset: FunctionMetric
        let sessionState, sessionGeneration, sessionExpiry, waiting: FunctionMetric

        /// Without a worker: for the manual.
        init(_ registry: Metrics, _ worker: Worker?) {
            breaker = registry.function(
                "countersign_breaker_state", help: "0 closed, 1 half-open, 2 open.", kind: .gauge, labels: ["upstream"])
            upstreamInFlight = registry.function(
                "countersign_upstream_in_flight", help: "Transfers under way.", kind: .gauge, labels: ["upstream"])
            upstreamQueued = registry.function(
                "countersign_upstream_queued", help: "Requests waiting for a place.", kind: .gauge, labels: ["upstream"]
            )
            upstreamConnections = registry.function(
                "countersign_upstream_connections_total", help: "Connections opened.", kind: .counter,
                labels: ["upstream"])
            clockOffset = registry.function(
                "countersign_clock_offset_seconds", help: "Upstream's clock minus ours.", kind: .gauge,
                labels: ["upstream"])
            sessionState = registry.function(
                "countersign_session_state", help: "1 for the state the session is in.", kind: .gauge,
                labels: ["session", "state"])
            sessionGeneration = registry.function(
                "countersign_session_generation", help: "Number of the newest credential.", kind: .gauge,
                labels: ["session"])
            sessionExpiry = registry.function(
                "countersign_session_expiry_seconds", help: "Seconds to the known expiry.", kind: .gauge,
                labels: ["session"])
            waiting = registry.function(
                "countersign_parked", help: "Requests waiting for a login, or for their turn.", kind: .gauge,
                labels: ["session"])
            Self.registerProcess(worker, registry)
        }

        private static func registerProcess(_ worker: Worker?, _ registry: Metrics) {
            let families: [(StaticString, StaticString, (Worker) -> Double)] = [
                ("countersign_connections", "Open client connections.", { Double($0.connections.count) }),
                ("countersign_in_flight", "Exchanges under way.", { Double($0.inFlight) }),
                (
                    "countersign_held_bytes", "Request bodies that are held whole, and answers that are looked into.",
                    { Double($0.held) }
                ),
                ("countersign_uptime_seconds", "Since the start.", { Double($0.loop.now &- $0.startedAt) / 1e9 }),
            ]
            for (name, help, read) in families {
                registry.function(name, help: help, kind: .gauge).observe { [unowned worker] in worker.map(read) }
            }
            registry.function(
                "countersign_log_lines_lost_total", help: "Log lines that nobody took.", kind: .counter
            ).observe { [weak worker] in worker.map { Double($0.sinks.lost) } }
            registry.function(
                "countersign_accept_pauses_total", help: "Pauses because descriptors ran out.", kind: .counter
            ).observe { [unowned worker] in
                worker.map { Double($0.listeners.reduce(0) { $0 + $1.acceptPauses }) }
            }
        }
    }
}
