import CCurl
import CCurlShims
import LoopKit

/// A curl multi handle bound to the loop. Knows sockets and time, nothing about requests.
@safe final class CurlReactor {
    private let loop: EventLoop
    private let multi: UnsafeMutableRawPointer
    private var timer: LoopTimer?
    private var isKickPlanned = false
    private var stuck: [CurlHandle] = []
    private var connections: [Int32: CurlConnection] = [:]
    private var byPort: [Int32: CurlConnection] = [:]
    /// HTTP/2 connections are shared and talk while idle (SETTINGS, PING): exact watching, no idle guard.
    private let isMultiplexed: Bool
    let tlsEnds = TLSEnds()
    /// libcurl is on the stack: its API must not be entered again.
    private(set) var isInside = false
    /// After each entry of libcurl.
    var onProgress: () -> Void = {}
    /// Age at which the upstream closed an idle connection (`nil`: it vanished), and what else is learned from idle ones.
    var idleClosed: (_ idleFor: UInt64?, _ hadBytes: Bool) -> Void = { _, _ in }

    init?(loop: EventLoop, maxConnections: Int, isMultiplexed: Bool) {
        guard CurlGlobal.isReady, let multi = unsafe curl_multi_init() else { return nil }
        self.loop = loop
        unsafe self.multi = multi
        self.isMultiplexed = isMultiplexed
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe gw_multi_on_socket(multi, onSocketWanted, context)
        _ = unsafe gw_multi_on_timer(multi, onTimerWanted, context)
        limit(connections: maxConnections)
        timer = loop.timer { [unowned self] in act(Int32(gw_socket_timeout), 0) }
    }

    /// Idle connections that are kept; libcurl takes 0 for "as you like", but each transfer then closes its own.
    func limit(connections: Int) { _ = unsafe gw_multi_long(multi, CURLMOPT_MAXCONNECTS, connections) }

    /// Every handle must have been removed. Closes all connections.
    func shutDown() {
        onProgress = {}
        timer = nil
        enter { _ = unsafe curl_multi_cleanup(multi) }
        isKickPlanned = false
        stuck = []
        connections = [:]
        byPort = [:]
    }

    /// Lets libcurl begin with the handles that were added.
    func begin() {
        isKickPlanned = false
        act(Int32(gw_socket_timeout), 0)
    }

    func add(_ easy: UnsafeMutableRawPointer) -> Bool {
        enter { unsafe curl_multi_add_handle(multi, easy) } == CURLM_OK
    }

    func remove(_ easy: UnsafeMutableRawPointer) {
        enter { _ = unsafe curl_multi_remove_handle(multi, easy) }
    }

    func unpause(_ easy: UnsafeMutableRawPointer, keeping pauses: Int32) {
        enter { _ = unsafe curl_easy_pause(easy, pauses) }
    }

    /// Runs something that enters libcurl; nested entries are refused by the flag's users.
    func enter<Result>(_ body: () -> Result) -> Result {
        let before = isInside
        isInside = true
        defer { isInside = before }
        return body()
    }

    func nextFinished() -> (handle: CurlHandle, code: CURLcode)? {
        var code: Int32 = 0
        guard let easy = unsafe gw_next_finished(multi, &code), let context = unsafe gw_private(easy) else {
            return nil
        }
        let handle = unsafe Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
        return (handle, CURLcode(UInt32(bitPattern: code)))
    }

    // MARK: Connections

    func opened(_ descriptor: Int32) {
        connections[descriptor] = CurlConnection(descriptor: descriptor, isForeign: false)
    }

    fileprivate func closed(_ descriptor: Int32) {
        if let connection = connections.removeValue(forKey: descriptor) { forget(connection) }
        gw_curl_close(descriptor)
    }

    private func forget(_ connection: CurlConnection) {
        connection.watch?.update(read: false, write: false)
        connection.watch = nil
        if byPort[connection.localPort] === connection { byPort[connection.localPort] = nil }
    }

    func learnPort(of descriptor: Int32) {
        guard let connection = connections[descriptor] else { return }
        connection.localPort = gw_curl_local_port(descriptor)
        if connection.localPort != 0 { byPort[connection.localPort] = connection }
    }

    /// The pooled connection with this local port; `nil` when it is not known (unix sockets have none).
    func connection(localPort: Int32) -> CurlConnection? { localPort > 0 ? byPort[localPort] : nil }

    /// For unix sockets, whose connections cannot be told apart: is any idle one unfit?
    var hasUnfitIdleConnection: Bool {
        connections.values.contains { !$0.isForeign && $0.user == nil && $0.hasPendingInput }
    }

    func released(_ connection: CurlConnection) {
        connection.user = nil
        if !isMultiplexed { connection.lastUsed = loop.now }
    }

    /// Nanoseconds since somebody used it.
    func rest(of connection: CurlConnection) -> UInt64 {
        connection.lastUsed == 0 || loop.now < connection.lastUsed ? 0 : loop.now - connection.lastUsed
    }

    /// A pooled connection was dead: see `SilentConnection`. Returns how many others were dropped.
    func dropIdle(silentSince since: UInt64) -> Int {
        let silent = connections.values.filter { connection in
            let isIdle = connection.user == nil || isMultiplexed
            return isIdle && !connection.isForeign && !connection.isDead && connection.lastUsed != 0
                && connection.lastUsed <= since
        }
        for connection in silent { connection.kill(isShared: isMultiplexed) }
        return silent.count
    }

    // MARK: libcurl's wishes

    fileprivate func socketWanted(_ easy: UnsafeMutableRawPointer?, _ descriptor: Int32, _ what: Int32) {
        let isRemoval = what == Int32(gw_poll_remove)
        if isRemoval, connections[descriptor]?.isForeign != true { unsafe addressGivenUp(easy) }
        guard let connection = connections[descriptor] ?? adopt(descriptor, isRemoval) else { return }
        let reads = what == Int32(gw_poll_in) || what == Int32(gw_poll_inout)
        let writes = what == Int32(gw_poll_out) || what == Int32(gw_poll_inout)
        connection.wantsReads = reads
        if connection.isForeign || isMultiplexed {
            watch(connection).update(read: reads, write: writes)
            if isRemoval, connection.isForeign {
                connections[descriptor] = nil
                forget(connection)
            }
            return
        }
        if !isRemoval, let easy = unsafe easy, let context = unsafe gw_private(easy) {
            let handle = unsafe Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
            handle.ride(connection)
        }
        let isWatched = connection.watch?.watchesReads == true
        watch(connection).update(read: reads || isWatched, write: writes)
    }

    /// libcurl 7.88 gives up on an address and goes to sleep before it begins with the next one (its own command wakes up
    /// every second): a black hole in front of a good address would take all of the time. Changing a pause wakes the handle.
    private func addressGivenUp(_ easy: UnsafeMutableRawPointer?) {
        guard let easy = unsafe easy, let context = unsafe gw_private(easy) else { return }
        let handle = unsafe Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
        guard handle.isConnecting else { return }
        if stuck.isEmpty { loop.atEndOfTick { self.wakeStuck() } }
        stuck.append(handle)
    }

    private func wakeStuck() {
        let handles = stuck
        stuck = []
        for handle in handles where handle.isConnecting {
            unsafe unpause(handle.easy, keeping: Int32(gw_pause_receive))
            unsafe unpause(handle.easy, keeping: Int32(gw_pause_none))
        }
        if !handles.isEmpty { begin() }
    }

    private func adopt(_ descriptor: Int32, _ isRemoval: Bool) -> CurlConnection? {
        guard !isRemoval else { return nil }
        let connection = CurlConnection(descriptor: descriptor, isForeign: true)
        connections[descriptor] = connection
        _ = watch(connection)
        return connection
    }

    private func watch(_ connection: CurlConnection) -> DescriptorWatch {
        if let watch = connection.watch { return watch }
        let watch = DescriptorWatch(loop: loop, descriptor: connection.descriptor) {
            [unowned self, unowned connection] readable, writable in
            ready(connection, readable: readable, writable: writable)
        }
        connection.watch = watch
        return watch
    }

    private func ready(_ connection: CurlConnection, readable: Bool, writable: Bool) {
        if readable, !connection.wantsReads, !connection.isForeign, !isMultiplexed {
            // Paused: the event is stale. Idle: see the type's comment.
            if connection.user != nil { return connection.watch?.update(read: false, write: writable) ?? () }
            let outcome = gw_curl_peek(connection.descriptor)
            // libcurl read it meanwhile, on behalf of another event of the same tick.
            if outcome == -Int(gw_errno_again) { return }
            connection.kill()
            // It vanished; that says nothing about what it would have done.
            let hasVanished = outcome == -Int(gw_errno_timedout)
            idleClosed(hasVanished ? nil : rest(of: connection), outcome > 0)
            return
        }
        if readable, isMultiplexed { connection.lastUsed = loop.now }
        let flags = (readable ? Int32(gw_select_in) : 0) | (writable ? Int32(gw_select_out) : 0)
        act(connection.descriptor, flags)
    }

    fileprivate func timerWanted(_ milliseconds: Int) {
        guard milliseconds != 0 else {
            guard !isKickPlanned else { return }
            isKickPlanned = true
            return loop.atEndOfTick { self.kicked() }
        }
        if milliseconds < 0 { timer?.cancel() } else { timer?.arm(after: UInt64(milliseconds) * 1_000_000) }
    }

    private func kicked() {
        if isKickPlanned { begin() }
    }

    private func act(_ descriptor: Int32, _ flags: Int32) {
        var running: Int32 = 0
        enter { _ = unsafe curl_multi_socket_action(multi, descriptor, flags, &running) }
        onProgress()
    }
}

private func reactor(_ context: UnsafeMutableRawPointer?) -> CurlReactor? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<CurlReactor>.fromOpaque(context).takeUnretainedValue()
}

private func onSocketWanted(
    _ easy: UnsafeMutableRawPointer?, _ descriptor: Int32, _ what: Int32, _ context: UnsafeMutableRawPointer?,
    _: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe reactor(context)?.socketWanted(easy, descriptor, what)
    return 0
}

private func onTimerWanted(_: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?)
    -> Int32
{
    unsafe reactor(context)?.timerWanted(milliseconds)
    return 0
}

/// Also called by `curl_multi_cleanup`; the reactor outlives its multi handle.
func onSocketClosed(_ context: UnsafeMutableRawPointer?, _ descriptor: Int32) -> Int32 {
    unsafe reactor(context)?.closed(descriptor)
    return 0
}
