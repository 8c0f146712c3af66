/// A point in time: seconds since 1970-01-01T00:00:00Z and nanoseconds (0 to 999 999 999) after that second.
/// CEL allows the years 1 to 9999.
package struct Timestamp: Sendable, Hashable, Comparable {
    package let seconds: Int64
    package let nanoseconds: Int32

    static let earliest: Int64 = -62_135_596_800
    static let latest: Int64 = 253_402_300_799
    /// 1970-01-01T00:00:00Z.
    static let start = Timestamp()

    private init() { (seconds, nanoseconds) = (0, 0) }

    /// `nil` outside of the years 1 to 9999.
    package init?(seconds: Int64, nanoseconds: Int64 = 0) {
        let carry = Timestamp.floorDivide(nanoseconds, 1_000_000_000)
        let (sum, overflow) = seconds.addingReportingOverflow(carry.quotient)
        guard !overflow, sum >= Timestamp.earliest, sum <= Timestamp.latest else { return nil }
        self.seconds = sum
        self.nanoseconds = Int32(truncatingIfNeeded: carry.remainder)
    }

    package static func < (a: Timestamp, b: Timestamp) -> Bool {
        (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
    }

    /// Later (or earlier) by a duration; `nil` when that leaves the allowed years.
    func adding(nanoseconds delta: Int64) -> Timestamp? {
        let parts = Timestamp.floorDivide(delta, 1_000_000_000)
        let (sum, overflow) = seconds.addingReportingOverflow(parts.quotient)
        return overflow ? nil : Timestamp(seconds: sum, nanoseconds: Int64(nanoseconds) + parts.remainder)
    }

    /// Nanoseconds from `other` to this; `nil` when they do not fit 64 bits (about 292 years).
    func nanoseconds(since other: Timestamp) -> Int64? {
        let (scaled, overflow) = (seconds - other.seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = scaled.addingReportingOverflow(Int64(nanoseconds) - Int64(other.nanoseconds))
        return overflow || carry ? nil : sum
    }

    static func floorDivide(_ a: Int64, _ b: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
        return remainder < 0 ? (quotient - 1, remainder + b) : (quotient, remainder)
    }
}
