import Domain
import LoopKit
import Observability

/// The end of a worker: clients are accepted no more, what is under way ends, sessions say good-bye, then the loop stops.
final class WorkerEnding {
    private unowned let worker: Worker
    private(set) var isDraining = false
    private var isLeaving = false
    private var isStopped = false
    private lazy var timer = worker.loop.timer { [unowned self] in timeIsOver() }

    init(_ worker: Worker) { self.worker = worker }

    /// Stops accepting clients and lets what is under way end; the operator is answered to the end, so that a probe sees
    /// why. A second signal ends it at once.
    func begin() {
        guard !isDraining else { return stop() }
        isDraining = true
        worker.log.info("draining", [.int("in_flight", worker.inFlight), .int("connections", worker.clients)])
        worker.sinks.flush()
        for listener in worker.listeners where listener.isMain { listener.close() }
        for connection in Array(worker.connections.values) where connection.listener.isMain {
            connection.closeWhenIdle()
        }
        timer.arm(after: max(1, worker.runtime.plan.limits.drain))
        check()
    }

    /// Something has ended: perhaps it was the last.
    func check() {
        guard isDraining, worker.inFlight == 0, worker.clients == 0 else { return }
        worker.loop.atEndOfTick { [unowned self] in leave() }
    }

    private func timeIsOver() {
        if worker.inFlight > 0 { worker.log.warning("drain time is over", [.int("in_flight", worker.inFlight)]) }
        for connection in Array(worker.connections.values) { connection.cut() }
        // Sessions whose last request is cut now end with the tick.
        worker.loop.atEndOfTick { [unowned self] in leave() }
    }

    /// Nobody is served any more: sessions that say good-bye do so, then it is over.
    private func leave() {
        guard !isLeaving else { return }
        isLeaving = true
        timer.cancel()
        let sessions = worker.runtime.sessions
        for book in sessions { book.keep() }
        worker.farewells.endAll(sessions.filter(\.canLogOut)) { [unowned self] in stop() }
    }

    private func stop() {
        guard !isStopped else { return }
        isStopped = true
        for listener in worker.listeners { listener.close() }
        for connection in Array(worker.connections.values) {
            connection.isIdle ? connection.close() : connection.cut()
        }
        timer.cancel()
        worker.stopTimers()
        worker.log.info("stopped")
        worker.sinks.flush()
        worker.loop.stop()
    }
}
