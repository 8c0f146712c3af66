/// Whether what the name service said may be out of date: no connection came about, or one died. Then it is asked again,
/// but not more often than once a second, whatever fails meanwhile.
struct NameDoubt {
    private static let pause: UInt64 = 1_000_000_000

    private var isRaised = false
    /// Loop time; 0 = never.
    private var askedAt: UInt64 = 0

    mutating func raise() { isRaised = true }

    func maySettle(_ now: UInt64) -> Bool { isRaised && (askedAt == 0 || now &- askedAt >= Self.pause) }

    /// True: the next attempt is to ask.
    mutating func settle(_ now: UInt64) -> Bool {
        guard maySettle(now) else { return false }
        (isRaised, askedAt) = (false, now)
        return true
    }
}
