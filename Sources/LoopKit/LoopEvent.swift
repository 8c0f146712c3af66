import CEvent
import CLoopShims

/// One libevent event, owned. Whoever holds it keeps the context alive until it is gone (libevent keeps a raw pointer).
@safe struct LoopEvent: ~Copyable {
    private let event: UnsafeMutablePointer<event>
    private let base: EventBase

    /// `descriptor` -1 makes a timer. Traps only when memory is gone: the sole reason for `event_new` to fail here.
    init(
        loop: EventLoop, descriptor: Int32, what: Int32, callback: @escaping gw_event_callback,
        context: UnsafeMutableRawPointer
    ) {
        guard let event = unsafe gw_event_new(loop.base.pointer, descriptor, what, callback, context) else {
            fatalError("out of memory: event_new")
        }
        unsafe self.event = event
        base = loop.base
    }

    deinit { unsafe event_free(event) }

    /// False when epoll refused the descriptor (ENOSPC of `max_user_watches`, a closed descriptor).
    @discardableResult
    func add() -> Bool { unsafe gw_event_add(event) == 0 }
    @discardableResult
    func add(after nanoseconds: UInt64) -> Bool { unsafe gw_event_add_after(event, nanoseconds) == 0 }
    func remove() { _ = unsafe event_del(event) }
}
