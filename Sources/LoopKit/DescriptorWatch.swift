import CLoopShims

/// Readiness of a descriptor that somebody else owns (libcurl's sockets). Must be dropped or told `update(false, false)`
/// before the owner closes the descriptor.
package final class DescriptorWatch {
    private unowned let loop: EventLoop
    package let descriptor: Int32
    private let onEvent: (_ readable: Bool, _ writable: Bool) -> Void
    private var readEvent: LoopEvent?
    private var writeEvent: LoopEvent?
    package private(set) var watchesReads = false
    package private(set) var watchesWrites = false

    /// Watches nothing until `update`. The callback may drop the watch.
    package init(
        loop: EventLoop, descriptor: Int32, onEvent: @escaping (_ readable: Bool, _ writable: Bool) -> Void
    ) {
        self.loop = loop
        self.descriptor = descriptor
        self.onEvent = onEvent
    }

    /// Level-triggered and persistent; free when nothing changes, one `epoll_ctl` per direction otherwise.
    package func update(read: Bool, write: Bool) {
        if read != watchesReads {
            watchesReads = read
            if readEvent == nil { readEvent = unsafe event(Int32(gw_readable), onWatchReadable) }
            if read { readEvent?.add() } else { readEvent?.remove() }
        }
        if write != watchesWrites {
            watchesWrites = write
            if writeEvent == nil { writeEvent = unsafe event(Int32(gw_writable), onWatchWritable) }
            if write { writeEvent?.add() } else { writeEvent?.remove() }
        }
    }

    private func event(_ what: Int32, _ callback: @escaping gw_event_callback) -> LoopEvent {
        unsafe LoopEvent(
            loop: loop, descriptor: descriptor, what: what | Int32(gw_persistent), callback: callback,
            context: unsafe Unmanaged.passUnretained(self).toOpaque())
    }

    fileprivate func ready(readable: Bool, writable: Bool) { onEvent(readable, writable) }
}

private func onWatchReadable(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<DescriptorWatch>.fromOpaque(context).takeUnretainedValue().ready(readable: true, writable: false)
}

private func onWatchWritable(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<DescriptorWatch>.fromOpaque(context).takeUnretainedValue().ready(readable: false, writable: true)
}
