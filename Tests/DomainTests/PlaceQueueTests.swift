import Testing

@testable import Domain

@Suite struct PlaceQueueTests {
    private func queue(inFlight: Int = 2, queued: Int = 2, wait: UInt64 = 5) -> PlaceQueue {
        var plan = UpstreamPlan(name: "up", scheme: .http, host: "h", port: 80)
        (plan.maxInFlight, plan.maxQueued, plan.timeouts.queue) = (inFlight, queued, s(wait))
        return PlaceQueue(plan: plan)
    }

    @Test func placesGoOutUntilThereAreNoneThenOnesWaitInOrderThenNoMore() {
        var queue = queue()
        #expect((1...5).map { queue.request($0, isFirst: false, now: 0) } == [.go, .go, .wait, .wait, .refuse])
        #expect(queue.next() == nil)
        queue.leave()
        #expect(queue.request(6, isFirst: false, now: 0) == .refuse)
        #expect(queue.next() == 3)
        #expect(queue.request(7, isFirst: false, now: 0) == .wait)
        queue.leave()
        queue.leave()
        // A newcomer does not overtake, though there are places.
        #expect(queue.request(8, isFirst: false, now: 0) == .refuse)
        #expect([queue.next(), queue.next(), queue.next()] == [4, 7, nil])
        #expect((queue.inFlight, queue.waiting) == (2, 0))
    }

    @Test func aReplayGoesFirstAndIsNeverTurnedAway() {
        var queue = queue(inFlight: 1, queued: 1)
        _ = queue.request(1, isFirst: false, now: 0)
        _ = queue.request(2, isFirst: false, now: 0)
        #expect(queue.request(3, isFirst: true, now: 0) == .wait)
        queue.leave()
        #expect(queue.request(4, isFirst: true, now: 0) == .go)
        queue.leave()
        #expect(queue.next() == 3)
    }

    @Test func whoWaitsTooLongOrLeavesIsForgotten() {
        var queue = queue(inFlight: 1, queued: 9)
        for id in UInt64(1)...4 { _ = queue.request(id, isFirst: false, now: s(id)) }
        #expect(queue.deadline == s(7))
        queue.withdraw(3)
        var late = queue.expired(now: s(6))
        #expect(late == nil)
        late = queue.expired(now: s(7))
        #expect(late == 2)
        late = queue.expired(now: s(7))
        #expect(late == nil)
        queue.leave()
        #expect(queue.next() == 4)
        #expect(queue.deadline == nil)
    }
}
