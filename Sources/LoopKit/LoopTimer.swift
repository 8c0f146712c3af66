import CLoopShims

/// A one-shot timer that is cheap to move: arming it later than it already stands only stores the new deadline, and the
/// event that fires too early arms itself again. Cancelling only clears the deadline. A connection that pushes its idle
/// deadline on every read therefore pays a store, not a heap operation.
package final class LoopTimer {
    private unowned let loop: EventLoop
    private let action: () -> Void
    private var event: LoopEvent?
    /// When the action is due; 0 = not armed.
    private var deadline: UInt64 = 0
    /// When the libevent event will fire; 0 = not pending.
    private var pendingAt: UInt64 = 0

    init(loop: EventLoop, action: @escaping () -> Void) {
        self.loop = loop
        self.action = action
    }

    /// True until it fired or was cancelled.
    package var isArmed: Bool { deadline != 0 }

    /// Arms or moves it: due in `nanoseconds` from the loop's `now`.
    package func arm(after nanoseconds: UInt64) {
        let (sum, overflow) = loop.now.addingReportingOverflow(nanoseconds)
        deadline = overflow ? .max : sum
        // libevent's clock stands still while the machine sleeps: an event that is overdue may fire much later.
        if pendingAt == 0 || deadline < pendingAt || pendingAt <= loop.now { schedule(after: nanoseconds) }
    }

    package func cancel() { deadline = 0 }

    private func schedule(after nanoseconds: UInt64) {
        if event == nil {
            event = unsafe LoopEvent(
                loop: loop, descriptor: -1, what: 0, callback: onTimerFired,
                context: unsafe Unmanaged.passUnretained(self).toOpaque())
        }
        pendingAt = deadline
        // A century: above it the conversion to timeval is meaningless.
        event?.add(after: min(nanoseconds, 3_000_000_000_000_000_000))
    }

    fileprivate func fired() {
        pendingAt = 0
        guard deadline != 0 else { return }
        let now = loop.now
        if deadline > now {
            // Moved since, or libevent's coarse clock (4 ms) was ahead of ours.
            schedule(after: deadline - now)
        } else {
            deadline = 0
            action()
        }
    }
}

private func onTimerFired(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<LoopTimer>.fromOpaque(context).takeUnretainedValue().fired()
}
