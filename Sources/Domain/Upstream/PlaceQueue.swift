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

    private var plan: UpstreamPlan
    private var waiters: [Waiter] = []
    /// While somebody waits: when a place was given back last, or the wait began.
    private var lastLeave: UInt64 = 0
    /// Smoothed time between two places that are given back while somebody waits; 0: not known yet.
    private var interval: UInt64 = 0
    /// Requests that hold a place.
    package private(set) var inFlight = 0

    package init(plan: UpstreamPlan) { self.plan = plan }

    /// A reload: the limits change for whoever comes, and for those who wait; those who hold a place keep it.
    package mutating func planChanged(_ plan: UpstreamPlan) { self.plan = plan }

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
        if waiters.isEmpty { lastLeave = now }
        let (sum, overflow) = now.addingReportingOverflow(plan.timeouts.queue)
        waiters.insert(Waiter(id: id, deadline: overflow ? .max : sum), at: isFirst ? 0 : waiters.count)
        return .wait
    }

    /// A place is free again; `next` tells who gets it.
    package mutating func leave(now: UInt64) {
        inFlight -= 1
        guard !waiters.isEmpty else { return }
        let passed = now.subtractingSaturated(lastLeave)
        interval = interval == 0 ? passed : interval - interval / 8 + passed / 8
        lastLeave = now
    }

    /// Nanoseconds until one that comes now would have had its turn, as places are given back at present. Never more than
    /// the longest wait: by then those who wait now are gone.
    package func timeToServe(now: UInt64) -> UInt64 {
        guard !waiters.isEmpty else { return interval }
        let pace = max(interval, now.subtractingSaturated(lastLeave))
        return min(pace.multipliedSaturated(by: UInt64(waiters.count) + 1), plan.timeouts.queue)
    }

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
