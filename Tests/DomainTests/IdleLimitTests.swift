import Testing

@testable import Domain

@Suite struct IdleLimitTests {
    @Test func anUpstreamThatClosedAtOnceIsNotMistrustedForEver() {
        var limit = IdleLimit(cap: s(55))
        #expect(limit.forUnsafeMethods(now: 0) == s(44))
        limit.observed(0)
        #expect(limit.forUnsafeMethods(now: 0) == 0)
        // At most a second, then at most twice as much each time, and never above what the config allows.
        for expected in [1, 2, 4, 8, 16, 32, 55, 55] as [UInt64] {
            limit.observed(s(3600))
            #expect(limit.forUnsafeMethods(now: 0) == s(expected) / 5 * 4)
        }
    }

    @Test func twoLossesInARowKeepPostsOffPooledConnections() {
        var limit = IdleLimit(cap: s(55))
        limit.lost(now: s(1))
        limit.served()
        limit.lost(now: s(2))
        #expect(limit.forUnsafeMethods(now: s(2)) == s(44), "an answer came between them")
        limit.lost(now: s(3))
        #expect(limit.forUnsafeMethods(now: s(3)) == 0 && limit.forUnsafeMethods(now: s(62)) == 0)
        #expect(limit.forUnsafeMethods(now: s(63)) == s(44))
        // It is as it was: the next one tells at once.
        limit.lost(now: s(64))
        #expect(limit.forUnsafeMethods(now: s(65)) == 0)
    }
}
