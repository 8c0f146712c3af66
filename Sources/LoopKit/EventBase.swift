import CEvent
import CLoopShims

/// The libevent base, counted: every event holds it, because freeing an event that is still pending reads its base
/// (a timer that outlived its loop was a read after free, found by valgrind).
@safe final class EventBase {
    let pointer: OpaquePointer

    /// Fails when the process is out of descriptors (epoll takes one).
    init() throws(LoopError) {
        guard let pointer = unsafe gw_base_new() else { throw LoopError("create event base", code: 0) }
        unsafe self.pointer = pointer
    }

    deinit { unsafe event_base_free(pointer) }
}
