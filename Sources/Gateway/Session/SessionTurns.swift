import Domain
import LoopKit

/// At most so many requests of one session are out at a time (`in_flight`): a token that serves once must come back, with
/// the next one, before the next request goes out. The others wait in the order of their arrival.
final class SessionTurns {
    private struct Waiter {
        var id: UInt64
        var client: any SessionClient
        var mayLogIn: Bool
        var deadline: UInt64
    }

    private unowned let book: SessionBook
    private unowned let worker: Worker
    /// The exchanges whose turn it is.
    private var holders: Set<UInt64> = []
    private var waiting: [Waiter] = []
    private lazy var timer = worker.loop.timer { [weak self] in self?.waitersExpired() }

    init(book: SessionBook, worker: Worker) {
        self.book = book
        self.worker = worker
    }

    var waitingCount: Int { waiting.count }

    /// What an exchange hears that wants to go; `nil`: go, and tell when it is over.
    func verdict(for id: UInt64, _ client: any SessionClient, mayLogIn: Bool) -> SessionVerdict? {
        if holders.contains(id) { return nil }
        let limits = book.plan.limits
        if holders.count < limits.inFlight, waiting.isEmpty {
            holders.insert(id)
            return nil
        }
        guard waiting.count < limits.waiting else {
            worker.metrics.limitRefused(.sessionWait)
            return .failed(
                GatewayError(.sessionPending, detail: "\(limits.waiting) requests wait for their turn already"))
        }
        waiting.append(
            Waiter(id: id, client: client, mayLogIn: mayLogIn, deadline: worker.loop.now &+ limits.waitTime))
        if !timer.isArmed { timer.arm(after: limits.waitTime) }
        return .parked
    }

    /// The exchange is over, whatever it was.
    func ended(_ id: UInt64) {
        waiting.removeAll { $0.id == id }
        guard holders.remove(id) != nil else { return }
        while holders.count < book.plan.limits.inFlight, !waiting.isEmpty {
            let next = waiting.removeFirst()
            holders.insert(next.id)
            // Not from inside the exchange that ends: its own state must be settled first.
            worker.loop.atEndOfTick { [self] in
                guard holders.contains(next.id) else { return }
                next.client.sessionAnswered(book.request(by: next.client, id: next.id, mayLogIn: next.mayLogIn))
            }
        }
    }

    private func waitersExpired() {
        let now = worker.loop.now
        let expired = waiting.prefix { $0.deadline <= now }
        waiting.removeFirst(expired.count)
        if let next = waiting.first { timer.arm(after: next.deadline &- now) }
        for waiter in expired {
            worker.metrics.limitRefused(.sessionWait)
            waiter.client.sessionFailed(
                GatewayError(.sessionPending, detail: "the requests before this one took too long"))
        }
    }
}
