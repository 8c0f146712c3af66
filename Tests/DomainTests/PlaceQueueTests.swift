import Testing

@testable import Domain

@Suite struct PlaceQueueTests {
    private func plan(inFlight: Int = 2, queued: Int = 2, wait: UInt64 = 5) -> UpstreamPlan {
        var plan = UpstreamPlan(name: "up", scheme: .http, host: "h", port: 80)
        (plan.maxInFlight, plan.maxQueued, plan.timeouts.queue) = (inFlight, queued, s(wait))
        return plan
    }

    private func queue(inFlight: Int = 2, queued: Int = 2, wait: UInt64 = 5) -> PlaceQueue {
        PlaceQueue(plan: plan(inFlight: inFlight, queued: queued, wait: wait))
    }

    @Test func aReloadRaisesAndLowersTheLimitsForThoseWhoWait() {
        var queue = queue(inFlight: 1, queued: 9)
        for id in UInt64(1)...4 { _ = queue.request(id, isFirst: false, now: 0) }
        queue.planChanged(plan(inFlight: 3, queued: 1))
        #expect([queue.next(), queue.next(), queue.next()] == [2, 3, nil])
        #expect(queue.request(5, isFirst: false, now: 0) == .refuse)
        queue.planChanged(plan(inFlight: 1))
        queue.leave(now: 0)
        queue.leave(now: 0)
        #expect(queue.next() == nil)
        queue.leave(now: 0)
        let next = queue.next()
        #expect((next, queue.inFlight) == (4, 1))
    }

    @Test func howLongANewcomerWouldWaitFollowsThePaceOfThePlaces() {
        var queue = queue(inFlight: 1, queued: 9, wait: 60)
        #expect(queue.timeToServe(now: s(100)) == 0)
        for id in UInt64(1)...4 { _ = queue.request(id, isFirst: false, now: s(100)) }
        // Three wait; nothing is known yet but how long nobody has left.
        #expect(queue.timeToServe(now: s(102)) == s(8))
        queue.leave(now: s(104))
        #expect(queue.next() == 2)
        // Two wait, one place in four seconds.
        #expect(queue.timeToServe(now: s(104)) == s(12))
        // Nobody leaves any more: slower and slower, but no longer than anybody waits.
        #expect(queue.timeToServe(now: s(114)) == s(30))
        #expect(queue.timeToServe(now: s(200)) == s(60))
    }

    @Test func placesGoOutUntilThereAreNoneThenOnesWaitInOrderThenNoMore() {
        var queue = queue()
        #expect((1...5).map { queue.request($0, isFirst: false, now: 0) } == [.go, .go, .wait, .wait, .refuse])
        #expect(queue.next() == nil)
        queue.leave(now: 0)
        #expect(queue.request(6, isFirst: false, now: 0) == .refuse)
        #expect(queue.next() == 3)
        #expect(queue.request(7, isFirst: false, now: 0) == .wait)
        queue.leave(now: 0)
        queue.leave(now: 0)
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
        queue.leave(now: 0)
        #expect(queue.request(4, isFirst: true, now: 0) == .go)
        queue.leave(now: 0)
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
        queue.leave(now: 0)
        #expect(queue.next() == 4)
        #expect(queue.deadline == nil)
    }
}
