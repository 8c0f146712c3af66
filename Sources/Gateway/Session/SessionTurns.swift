import Domain
import LoopKit

/// At most so many requests of one session are out at a time (`in_flight`): a token that serves once must come back, with
/// the next one, before the next request goes out. The others wait in the order of their arrival.
final class SessionTurns {
    private unowned let book: SessionBook
    private unowned let worker: Worker
    /// The exchanges whose turn it is.
    private var holders: Set<UInt64> = []
    private let line: SessionLine

    init(book: SessionBook, worker: Worker) {
        self.book = book
        self.worker = worker
        line = SessionLine(
            book: book, worker: worker, full: "wait for their turn already",
            late: "the requests before this one took too long")
    }

    var waitingCount: Int { line.count }
    /// Requests are bound to turns, or some still have one from before a reload.
    var areInUse: Bool { book.plan.limits.inFlight > 0 || !holders.isEmpty }

    /// What an exchange hears that wants to go; `nil`: go, and tell when it is over.
    func verdict(for id: UInt64, _ client: any SessionClient, mayLogIn: Bool) -> SessionVerdict? {
        if holders.contains(id) { return nil }
        if holders.count < book.plan.limits.inFlight, line.isEmpty {
            holders.insert(id)
            return nil
        }
        return line.join(id, client, mayLogIn: mayLogIn)
    }

    /// The exchange is over, whatever it was.
    func ended(_ id: UInt64) {
        line.leave(id)
        if holders.remove(id) != nil { passOn() }
    }

    /// A reload changed `in_flight`; without a limit nobody was counted.
    func limitChanged(from old: Int, out: @autoclosure () -> [UInt64]) {
        let limit = book.plan.limits.inFlight
        guard limit != old else { return }
        if old == 0 { holders = Set(out()) }
        passOn()
    }

    private func passOn() {
        let limit = book.plan.limits.inFlight == 0 ? Int.max : book.plan.limits.inFlight
        while holders.count < limit, let next = line.next() {
            holders.insert(next.id)
            // Not from inside the exchange that ends: its own state must be settled first.
            worker.loop.atEndOfTick { [self] in
                guard holders.contains(next.id) else { return }
                next.client.sessionAnswered(book.request(by: next.client, id: next.id, mayLogIn: next.mayLogIn))
            }
        }
    }
}
