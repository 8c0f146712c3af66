/// Retries may add at most 10 % to the load of the last 10 s, with a floor of 3: a dying upstream must not get twice
/// the traffic. One per upstream. Ten buckets of one second each.
package struct RetryBudget: Sendable {
    /// Share of the requests, and the floor (reliability 4: retry).
    static let percent: UInt64 = 10
    static let floor: UInt64 = 3
    private static let seconds = 10

    private var requests = [UInt64](repeating: 0, count: RetryBudget.seconds)
    private var retries = [UInt64](repeating: 0, count: RetryBudget.seconds)
    /// Second (monotonic) of the newest bucket.
    private var newest: UInt64 = 0

    package init() {}

    /// A first attempt goes out.
    package mutating func requestSent(now: UInt64) {
        requests[advance(to: now)] += 1
    }

    /// Takes one retry from the budget; false when it is spent.
    package mutating func takeRetry(now: UInt64) -> Bool {
        let bucket = advance(to: now)
        let allowed = Swift.max(Self.floor, requests.reduce(0, +) * Self.percent / 100)
        guard retries.reduce(0, +) < allowed else { return false }
        retries[bucket] += 1
        return true
    }

    private mutating func advance(to now: UInt64) -> Int {
        let second = now / 1_000_000_000
        let width = UInt64(Self.seconds)
        if second > newest {
            var step = Swift.min(second - newest, width)
            while step > 0 {
                let bucket = Int((second - step + 1) % width)
                requests[bucket] = 0
                retries[bucket] = 0
                step -= 1
            }
            newest = second
        }
        return Int(newest % width)
    }
}
