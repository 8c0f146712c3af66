import Bytes
import Domain
import LoopKit
import Observability

/// Numbers that are read when somebody looks.
enum WorkerGauges {
    static func register(_ worker: Worker) {
        let gauges = worker.gauges
        for upstream in worker.runtime.upstreams { register(upstream, in: gauges) }
        for session in worker.runtime.sessions { register(session, in: gauges) }
    }

    private static func register(_ upstream: UpstreamHandle, in gauges: Families) {
        let name = Array(upstream.plan.name.utf8)
        gauges.breaker.observe([name]) { [weak upstream] in upstream.map { Double($0.status.breaker.gauge) } }
        gauges.upstreamInFlight.observe([name]) { [weak upstream] in
            upstream.map { Double($0.transport.gauges.inFlight) }
        }
        gauges.upstreamQueued.observe([name]) { [weak upstream] in upstream.map { Double($0.transport.gauges.queued) } }
        gauges.upstreamConnections.observe([name]) { [weak upstream] in
            upstream.map { Double($0.transport.gauges.connectionsOpened) }
        }
        gauges.clockOffset.observe([name]) { [weak upstream] in upstream.map { Double($0.clock.seconds) } }
    }

    private static func register(_ book: SessionBook, in gauges: Families) {
        let name = Array(book.plan.name.utf8)
        for state in SessionStatus.State.allCases {
            gauges.sessionState.observe([name, Array(state.rawValue.utf8)]) { [weak book] in
                book.map { $0.status.state == state ? 1 : 0 }
            }
        }
        gauges.sessionGeneration.observe([name]) { [weak book] in book.map { Double($0.status.generation) } }
        gauges.sessionExpiry.observe([name]) { [weak book] in
            book.flatMap { $0.status.expiresIn.map { Double($0) / 1e9 } }
        }
        gauges.waiting.observe([name]) { [weak book] in book.map { Double($0.status.waiting) } }
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
                "countersign_parked", help: "Requests waiting for a login.", kind: .gauge, labels: ["session"])
            Self.registerProcess(worker, registry)
        }

        private static func registerProcess(_ worker: Worker?, _ registry: Metrics) {
            let families: [(StaticString, StaticString, (Worker) -> Double)] = [
                ("countersign_connections", "Open client connections.", { Double($0.connections.count) }),
                ("countersign_in_flight", "Exchanges under way.", { Double($0.inFlight) }),
                ("countersign_uptime_seconds", "Since the start.", { Double($0.loop.now &- $0.startedAt) / 1e9 }),
            ]
            for (name, help, read) in families {
                registry.function(name, help: help, kind: .gauge).observe { [weak worker] in worker.map(read) }
            }
            registry.function(
                "countersign_accept_pauses_total", help: "Pauses because descriptors ran out.", kind: .counter
            ).observe { [weak worker] in
                worker.map { Double($0.listeners.reduce(0) { $0 + $1.acceptPauses }) }
            }
        }
    }
}
