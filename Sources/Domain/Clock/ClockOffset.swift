package import Bytes
import HTTPWire

/// How far an upstream's clock is ahead of ours, learnt from the `Date` of its answers, so that signatures carry the time
/// that the upstream believes in.
///
/// - Only answers without `Age` count: a cached `Date` is old (peers 61). Compared with the middle of sending and receiving.
/// - `Date` is cut to whole seconds, so its middle is taken, and a difference within a second counts as none.
/// - Beyond one day nothing is learnt: no clock is that wrong and still works with TLS (peers 62: 47 years of skew).
/// - Exchanges that took more than 10 s say too little about the moment.
/// - Small changes are smoothed (an eighth each); a step of more than 2 s is taken when two answers in a row agree on it, so
///   that one odd server among many does not make the time jump to and fro.
package struct ClockOffset: Sendable, Equatable {
    private static let second: Int64 = 1_000_000_000
    static let bound = 86_400 * second
    static let longestTrip: UInt64 = 10_000_000_000
    static let step = 2 * second

    /// Nanoseconds to add to our wall clock; 0 until something is learnt.
    package private(set) var nanoseconds: Int64 = 0
    private var hasLearnt = false
    /// A step that waits for a second answer to agree.
    private var candidate: Int64?

    package init() {}

    /// For health: seconds, rounded towards zero.
    package var seconds: Int64 { nanoseconds / Self.second }

    /// Looks for `Date` and `Age` in the fields of an answer. `sentAt`, `receivedAt` are monotonic nanoseconds, `wall` is
    /// our wall clock when the head was received.
    package mutating func learn(
        from fields: PairBlock, sentAt: UInt64, receivedAt: UInt64, wall: (seconds: Int64, nanoseconds: Int32)
    ) {
        guard fields.first("age", folding: true) == nil, let date = fields.first("date", folding: true),
            let seconds = HTTPDate.parse(date.span)
        else { return }
        learn(upstream: seconds, sentAt: sentAt, receivedAt: receivedAt, wall: wall)
    }

    /// `upstream`: unix seconds of a `Date` that no cache has kept.
    package mutating func learn(
        upstream: Int64, sentAt: UInt64, receivedAt: UInt64, wall: (seconds: Int64, nanoseconds: Int32)
    ) {
        guard receivedAt >= sentAt, receivedAt - sentAt <= Self.longestTrip,
            upstream.subtractingReportingOverflow(wall.seconds).overflow == false,
            (upstream - wall.seconds).magnitude <= 100_000
        else { return }
        let half = Int64((receivedAt - sentAt) / 2)
        let difference = (upstream - wall.seconds) * Self.second - Int64(wall.nanoseconds) + Self.second / 2 + half
        guard difference.magnitude <= Self.bound.magnitude else { return }
        take(difference.magnitude <= (Self.second + half).magnitude ? 0 : difference)
    }

    /// The upstream refused a signature for its time and told its own: that is taken at once, without a second opinion,
    /// since every request fails until it is. Beyond one day nothing is taken.
    ///
    /// - Returns: false when nothing was taken.
    package mutating func adopt(upstream: Int64, wall: (seconds: Int64, nanoseconds: Int32)) -> Bool {
        let (difference, overflow) = upstream.subtractingReportingOverflow(wall.seconds)
        guard !overflow, difference.magnitude <= UInt64(Self.bound / Self.second) else { return false }
        (hasLearnt, candidate) = (true, nil)
        nanoseconds = difference.magnitude <= 1 ? 0 : difference * Self.second - Int64(wall.nanoseconds)
        return true
    }

    private mutating func take(_ sample: Int64) {
        guard hasLearnt else {
            hasLearnt = true
            nanoseconds = sample
            return
        }
        let change = sample - nanoseconds
        if change.magnitude <= Self.step.magnitude {
            candidate = nil
            nanoseconds += change / 8
        } else if let candidate, (sample - candidate).magnitude <= Self.step.magnitude {
            self.candidate = nil
            nanoseconds = sample
        } else {
            candidate = sample
        }
    }

    /// Our wall clock, as the upstream would read it.
    package func corrected(_ wall: (seconds: Int64, nanoseconds: Int32)) -> (seconds: Int64, nanoseconds: Int32) {
        let total = Int64(wall.nanoseconds) + nanoseconds % Self.second
        let carry = total < 0 ? -1 : total / Self.second
        let (seconds, overflow) = wall.seconds.addingReportingOverflow(nanoseconds / Self.second + carry)
        guard !overflow else { return wall }
        return (seconds, Int32(truncatingIfNeeded: total - carry * Self.second))
    }
}
