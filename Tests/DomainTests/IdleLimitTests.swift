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
}
