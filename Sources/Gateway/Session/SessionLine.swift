import Domain
import LoopKit

/// Exchanges of one session that wait for their turn, in the order of arrival, each until the session's `wait.time`. As many
/// may wait as the session allows; the rest is refused.
final class SessionLine {
    struct Waiter {
        let id: UInt64
        let client: any SessionClient
        let mayLogIn: Bool
        fileprivate let deadline: UInt64
    }

    private unowned let book: SessionBook
    private unowned let worker: Worker
    /// What a client is told: why it may not wait, and why it waited in vain.
    private let texts: (full: String, late: String)
    private var waiting: [Waiter] = []
    private lazy var timer = worker.loop.timer { [unowned self] in expire() }

    init(book: SessionBook, worker: Worker, full: String, late: String) {
        self.book = book
        self.worker = worker
        texts = (full, late)
    }

    var count: Int { waiting.count }
    var isEmpty: Bool { waiting.isEmpty }

    /// `.parked`, or the refusal.
    func join(_ id: UInt64, _ client: any SessionClient, mayLogIn: Bool) -> SessionVerdict {
        let limits = book.plan.limits
        guard waiting.count < limits.waiting else {
            worker.metrics.limitRefused(.sessionWait)
            return .failed(GatewayError(.sessionPending, detail: "\(limits.waiting) requests \(texts.full)"))
        }
        waiting.append(
            Waiter(id: id, client: client, mayLogIn: mayLogIn, deadline: worker.loop.now &+ limits.waitTime))
        armTimer()
        return .parked
    }

    func leave(_ id: UInt64) { waiting.removeAll { $0.id == id } }

    func next() -> Waiter? { waiting.isEmpty ? nil : waiting.removeFirst() }

    func takeAll() -> [Waiter] {
        defer { waiting = [] }
        return waiting
    }

    /// For the first or the last: a reload may have made the wait shorter.
    private func armTimer() {
        guard let first = waiting.first, let last = waiting.last else { return }
        let next = min(first.deadline, last.deadline)
        timer.arm(after: next > worker.loop.now ? next - worker.loop.now : 0)
    }

    private func expire() {
        let now = worker.loop.now
        let expired = waiting.filter { $0.deadline <= now }
        waiting.removeAll { $0.deadline <= now }
        armTimer()
        for waiter in expired {
            worker.metrics.limitRefused(.sessionWait)
            waiter.client.sessionFailed(GatewayError(.sessionPending, detail: texts.late))
        }
    }
}
