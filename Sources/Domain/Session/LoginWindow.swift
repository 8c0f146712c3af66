/// At most so many logins in so much time, whatever their outcome: a session that is renewed and rejected in turns
/// (kicked by another device, a wrong expiry test) must not become a login storm.
struct LoginWindow: Sendable {
    /// Start times, oldest first; never more than the limit.
    private var starts: [UInt64] = []

    mutating func add(_ now: UInt64, limit: Int) {
        starts.append(now)
        if starts.count > Swift.max(limit, 1) { starts.removeFirst(starts.count - Swift.max(limit, 1)) }
    }

    /// When the next login may start; `nil`: now.
    func nextFree(now: UInt64, limits: SessionLimits) -> UInt64? {
        guard limits.windowLogins > 0, starts.count >= limits.windowLogins else { return nil }
        let free = starts[starts.count - limits.windowLogins].addingSaturated(limits.windowTime)
        return now < free ? free : nil
    }
}
