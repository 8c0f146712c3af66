import CLoopShims

/// One thread's event loop on libevent: sockets, timers, signals and a list of end-of-tick actions.
///
/// Lives on the thread that calls `run()`; deliberately not Sendable, so that the compiler keeps it there. The base is
/// made without locks (measured 36 instead of 30 ns per timer with them): other threads come in through `Mailbox` only.
package final class EventLoop {
    let base: EventBase
    /// One read buffer for all sockets of the loop: an idle connection owns none (it must stay under 8 KiB).
    let scratch: ReadScratch
    private var endOfTick: [TickAction] = []
    private var drained = 0
    private var isDraining = false
    private var isStopping = false
    private var cachedNow: UInt64 = 0
    private var cachedWall: (seconds: Int64, nanoseconds: Int32)?
    private var signals: [SignalWatch] = []

    /// Fails when the process is out of descriptors (epoll takes one).
    package init() throws(LoopError) {
        base = try EventBase()
        scratch = ReadScratch()
    }

    /// Monotonic nanoseconds, read once per tick. The time that the machine sleeps counts: what is older than allowed
    /// afterwards (a pooled connection, a credential) is seen when it is used.
    package var now: UInt64 {
        if cachedNow == 0 { cachedNow = gw_boot_time() }
        return cachedNow
    }

    /// Monotonic nanoseconds, read at this moment: for measuring what happens within a tick.
    package var clock: UInt64 { gw_boot_time() }

    /// Wall clock (Unix time), read once per tick. For signatures and expiry only; never for timers.
    package var wall: (seconds: Int64, nanoseconds: Int32) {
        if let cachedWall { return cachedWall }
        var nanoseconds: Int32 = 0
        let seconds = unsafe gw_wall(&nanoseconds)
        cachedWall = (seconds, nanoseconds)
        return (seconds, nanoseconds)
    }

    /// Runs until `stop()`. May be called again afterwards.
    package func run() {
        isStopping = false
        while true {
            drain()
            if isStopping { break }
            tick()
        }
    }

    /// One step: runs the end-of-tick actions, or, when there are none, waits once for events and runs those. For tests and
    /// nested waits that look at a condition after each step.
    package func runOnce() {
        if endOfTick.isEmpty { tick() }
        drain()
    }

    /// Ends `run()` after the current tick and its end-of-tick actions. On the loop only.
    package func stop() { isStopping = true }

    /// Runs the action before the loop blocks again, in the order of the calls; an action added meanwhile runs in the
    /// same drain. A closure that captures nothing but one object costs no allocation. The place for whatever must not happen
    /// inside a callback: freeing the object that called, resuming libcurl, telling a delegate that it is over.
    package func atEndOfTick(_ action: @escaping () -> Void) { endOfTick.append(TickAction(run: action)) }

    /// A timer that is not armed yet. The loop does not hold it: a dropped timer never fires.
    package func timer(_ action: @escaping () -> Void) -> LoopTimer { LoopTimer(loop: self, action: action) }

    /// Calls the action on the loop for each signal, for the life of the loop. One loop per process may do this.
    package func onSignal(_ number: Int32, _ action: @escaping () -> Void) throws(LoopError) {
        signals.append(try SignalWatch(loop: self, number: number, action: action))
    }

    private func tick() {
        cachedNow = 0
        cachedWall = nil
        _ = unsafe gw_base_tick(base.pointer)
    }

    private func drain() {
        guard !isDraining else { return }
        isDraining = true
        while drained < endOfTick.count {
            let action = endOfTick[drained]
            drained += 1
            action.run()
        }
        endOfTick.removeAll(keepingCapacity: endOfTick.count < 4096)
        drained = 0
        isDraining = false
    }
}
