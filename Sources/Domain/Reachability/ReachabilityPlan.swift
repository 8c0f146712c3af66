/// When an upstream counts as away, and how its return is noticed. Times are nanoseconds. One per upstream.
package struct ReachabilityPlan: Sendable, Equatable {
    /// Config `breaker: off`: it never opens.
    package var opens = true
    /// Config `breaker.after`: transport failures in a row that open the breaker.
    package var failures = 5
    /// Config `breaker.wait`, `breaker.wait_max`: pause before the half-open trial, doubled each time, jitter 20 %.
    package var wait: UInt64 = 1_000_000_000
    package var waitMax: UInt64 = 30_000_000_000
    /// Config `probe.path`; `nil`: no active probe.
    package var probePath: [UInt8]?
    package var probeEvery: UInt64 = 5_000_000_000
    package var probeTimeout: UInt64 = 2_000_000_000
    /// Config `clock.learn_from: date`.
    package var learnsClock = false
    package init(opens: Bool = true) { self.opens = opens }
}
