/// Pause after failures in a row: doubled each time, capped, then spread by +-20 % so that many gateways do not come back
/// in step.
///
///     min 1 s, max 60 s:  1 failure: 0.8...1.2 s   2: 1.6...2.4   3: 3.2...4.8   6: 25.6...38.4   7 and more: 48...72 s
package struct Backoff: Sendable, Equatable {
    /// Nanoseconds.
    package var min: UInt64
    package var max: UInt64

    package init(min: UInt64, max: UInt64) {
        self.min = min
        self.max = Swift.max(min, max)
    }

    /// Nanoseconds to wait after the given number of failures (1 = the first). `jitter` is uniform in `0..<1`.
    package func delay(failures: Int, jitter: Double) -> UInt64 {
        guard failures > 0 else { return 0 }
        let doubled = failures > 63 ? UInt64.max : min.multipliedSaturated(by: 1 << UInt64(failures - 1))
        // Below 2^62 ns (146 years) the product fits in any case.
        let base = Swift.min(doubled, max, 1 << 62)
        let spread = 0.8 + 0.4 * (jitter >= 0 && jitter < 1 ? jitter : 0.5)
        return UInt64(Double(base) * spread)
    }
}
