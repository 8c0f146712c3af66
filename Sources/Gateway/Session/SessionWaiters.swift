import LoopKit

/// Those who wait for a session's credential, each until a deadline of its own.
final class SessionWaiters {
    private let loop: EventLoop
    private let onExpired: (UInt64) -> Void
    private var waiting: [UInt64: (client: any SessionClient, deadline: UInt64)] = [:]
    /// What the timer was armed for.
    private var nextDeadline: UInt64 = 0
    private lazy var timer = loop.timer { [unowned self] in expire() }

    /// `onExpired` hears of each whose deadline has passed; it has to take it out.
    init(loop: EventLoop, onExpired: @escaping (UInt64) -> Void) {
        self.loop = loop
        self.onExpired = onExpired
    }

    func add(_ client: any SessionClient, _ id: UInt64, until deadline: UInt64) {
        waiting[id] = (client, deadline)
        // A reload may have made the wait shorter than that of those who wait already.
        guard !timer.isArmed || deadline < nextDeadline else { return }
        nextDeadline = deadline
        timer.arm(after: deadline &- loop.now)
    }

    /// It waits no longer; `nil`: it did not.
    func take(_ id: UInt64) -> (any SessionClient)? { waiting.removeValue(forKey: id)?.client }

    private func expire() {
        let now = loop.now
        for (id, waiter) in waiting where waiter.deadline <= now { onExpired(id) }
        guard let next = waiting.values.map(\.deadline).min() else { return }
        nextDeadline = next
        timer.arm(after: next > now ? next - now : 1)
    }
}
