/// The places among an upstream's requests in flight: who goes, who waits for one, who is turned away. Decides only.
///
/// A place is asked for before a request gets its credential and its signature, so that neither grows old in the queue
/// (both would be stale after a wait: promise 2, and peers 11: a login that waits behind requests which wait for it).
package struct PlaceQueue: Sendable {
    package enum Verdict: Sendable, Equatable {
        case go
        /// `next` or `expired` will name it.
        case wait
        /// As many wait already as may.
        case refuse
    }

    private struct Waiter {
        let id: UInt64
        let deadline: UInt64
    }

    private let plan: UpstreamPlan
    private var waiters: [Waiter] = []
    /// Requests that hold a place.
    package private(set) var inFlight = 0

    package init(plan: UpstreamPlan) { self.plan = plan }

    /// Requests that wait for a place.
    package var waiting: Int { waiters.count }
    /// When the first of them has waited long enough; `nil` when nobody waits.
    package var deadline: UInt64? { waiters.lazy.map(\.deadline).min() }

    /// Asks for a place. `isFirst`: one who had a place already and goes on (a replay) waits in front of all others.
    package mutating func request(_ id: UInt64, isFirst: Bool, now: UInt64) -> Verdict {
        // Nobody overtakes those who wait.
        if inFlight < plan.maxInFlight, waiters.isEmpty || isFirst {
            inFlight += 1
            return .go
        }
        guard waiters.count < plan.maxQueued || isFirst else { return .refuse }
        let (sum, overflow) = now.addingReportingOverflow(plan.timeouts.queue)
        waiters.insert(Waiter(id: id, deadline: overflow ? .max : sum), at: isFirst ? 0 : waiters.count)
        return .wait
    }

    /// A place is free again; `next` tells who gets it.
    package mutating func leave() { inFlight -= 1 }

    /// Who may go now, with a place; `nil` when there is no place or nobody waits.
    package mutating func next() -> UInt64? {
        guard inFlight < plan.maxInFlight, !waiters.isEmpty else { return nil }
        inFlight += 1
        return waiters.removeFirst().id
    }

    /// It does not want a place any more.
    package mutating func withdraw(_ id: UInt64) { waiters.removeAll { $0.id == id } }

    /// One that waited too long; call until it is `nil`.
    package mutating func expired(now: UInt64) -> UInt64? {
        guard let index = waiters.firstIndex(where: { $0.deadline <= now }) else { return nil }
        return waiters.remove(at: index).id
    }
}
