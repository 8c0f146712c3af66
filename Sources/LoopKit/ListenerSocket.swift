import CLoopShims
import Glibc

/// A listening socket on the loop.
///
/// Out of descriptors (EMFILE, ENFILE) it stops listening for events, because a level-triggered listener that cannot accept
/// spins at 100 % CPU (measured with libevent's own listener). Clients wait in the backlog until `resumeAccepting()`
/// or 100 ms. If there is still no descriptor then, the waiting ones are taken with a reserve descriptor and reset:
/// a fast failure is better than a silent wait. The same when its owner has no room for one more.
package final class ListenerSocket {
    private unowned let loop: EventLoop
    private let options: ListenerOptions
    private let onAccept: (Int32, PeerAddress) -> Void
    private let hasRoom: (_ isExhausted: Bool) -> Bool
    private var descriptor: Int32
    private var reserve: Int32
    private var event: LoopEvent?
    private var timer: LoopTimer?
    private var isPaused = false
    private var file: UnixSocketFile?
    /// What it is bound to; the port is the real one when 0 was asked for.
    package let boundAddress: ListenAddress
    /// How often accepting was paused because descriptors ran out.
    package private(set) var acceptPauses: UInt64 = 0
    /// Connections reset with the reserve descriptor.
    package private(set) var shedConnections: UInt64 = 0

    /// Binds and listens; `onAccept` then owns each descriptor (non-blocking, close-on-exec, no delay).
    /// - Parameter hasRoom: asked before each connection, and again when the process is out of descriptors
    ///   (`isExhausted`); it may close something to make room.
    package init(
        loop: EventLoop, address: ListenAddress, options: ListenerOptions = ListenerOptions(),
        hasRoom: @escaping (_ isExhausted: Bool) -> Bool = { !$0 },
        onAccept: @escaping (Int32, PeerAddress) -> Void
    ) throws(LoopError) {
        self.loop = loop
        self.options = options
        self.hasRoom = hasRoom
        self.onAccept = onAccept
        let bound = try BoundSocket.open(address, backlog: options.backlog)
        descriptor = bound.descriptor
        file = bound.file
        boundAddress = bound.address
        reserve = gw_open_reserve()
        let event = unsafe LoopEvent(
            loop: loop, descriptor: descriptor, what: Int32(gw_readable | gw_persistent),
            callback: onListenerReadable, context: unsafe Unmanaged.passUnretained(self).toOpaque())
        event.add()
        self.event = consume event
        timer = loop.timer { [weak self] in self?.pauseEnded() }
    }

    deinit { close() }

    /// Stops accepting and removes the file of a unix socket. Connections accepted before live on.
    package func close() {
        guard descriptor >= 0 else { return }
        event = nil
        timer = nil
        // Before the close: afterwards a successor might bind the path between the check and the removal.
        file?.remove()
        _ = gw_close(descriptor)
        if reserve >= 0 { _ = gw_close(reserve) }
        (descriptor, reserve) = (-1, -1)
    }

    /// To be called when a descriptor was closed; costs a comparison when accepting was not paused.
    package func resumeAccepting() {
        guard isPaused, descriptor >= 0 else { return }
        isPaused = false
        timer?.cancel()
        event?.add()
    }

    fileprivate func readable() {
        var taken = 0
        while taken < options.acceptsPerTick, descriptor >= 0, !isPaused {
            // Nobody is sent away for a client that is not there.
            if taken > 0, !isWaitedFor { return }
            guard hasRoom(false) else { return pause() }
            var (result, peer) = accept()
            if result < 0, isExhaustion(-result), hasRoom(true) { (result, peer) = accept() }
            if result >= 0 {
                taken += 1
                if !peer.isUnix { _ = gw_no_delay(result) }
                onAccept(result, peer)
            } else if isExhaustion(-result) {
                return pause()
            } else if result == -Int32(gw_again) {
                return
            } else {
                // ECONNABORTED and the like concern that one connection; the bound keeps a storm of them finite.
                taken += 1
            }
        }
    }

    private func accept() -> (Int32, PeerAddress) {
        var raw: (UInt64, UInt64) = (0, 0)
        var count: Int32 = 0
        var port: UInt16 = 0
        let result = unsafe withUnsafeMutableBytes(of: &raw) { buffer -> Int32 in
            guard let start = unsafe buffer.bindMemory(to: UInt8.self).baseAddress else { return -1 }
            return unsafe gw_accept(descriptor, start, &count, &port)
        }
        let bytes = unsafe unsafeBitCast(raw, to: SIMD16<UInt8>.self)
        return (result, PeerAddress(bytes: bytes, count: Int(count), port: port))
    }

    private func isExhaustion(_ code: Int32) -> Bool {
        switch Int(code) {
        case gw_emfile, gw_enfile, gw_nobufs, gw_nomem: true
        default: false
        }
    }

    private func pause() {
        isPaused = true
        acceptPauses += 1
        event?.remove()
        timer?.arm(after: options.pause)
    }

    private func pauseEnded() {
        guard isPaused, descriptor >= 0 else { return }
        let probe = gw_open_reserve()
        if probe >= 0 { _ = gw_close(probe) }
        if isWaitedFor, probe < 0 || !hasRoom(false) { shed() }
        resumeAccepting()
    }

    /// A client is in the backlog.
    private var isWaitedFor: Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&state, 1, 0) > 0
    }

    private func shed() {
        guard reserve >= 0 else { return }
        _ = gw_close(reserve)
        defer { reserve = gw_open_reserve() }
        for _ in 0..<options.acceptsPerTick {
            let (result, _) = accept()
            if result < 0 { break }
            shedConnections += 1
            _ = gw_reset_on_close(result)
            _ = gw_close(result)
        }
    }
}

private func onListenerReadable(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<ListenerSocket>.fromOpaque(context).takeUnretainedValue().readable()
}
