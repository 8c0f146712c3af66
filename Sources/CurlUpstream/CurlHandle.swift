import CCurl
import CCurlShims
import Domain
import LoopKit

/// A curl easy handle with the options that never change, pooled after successes only (a handle that failed may carry state
/// into the next transfer: curl issue 18206). The context pointer of all its callbacks; the transport's table keeps it
/// alive while libcurl knows it.
@safe final class CurlHandle {
    let easy: UnsafeMutableRawPointer
    let reactor: CurlReactor
    var arena = HeaderArena()
    /// Which request options the handle still carries, so that a run of GETs sets none.
    var shape = RequestShape.get
    /// The transfer under way.
    var transfer: CurlTransfer?
    var connection: CurlConnection?
    private(set) var timer: LoopTimer?
    /// Position in the transport's table.
    var slot = 0
    private let errorText: UnsafeMutablePointer<CChar>
    private var url: OpaquePointer?

    // This attempt.
    /// Descriptors opened for this transfer: it does not ride on a pooled connection.
    var opened: [Int32] = []
    /// The last socket could not be made: this process is out of descriptors.
    private(set) var lacksDescriptors = false
    /// Times libcurl was about to send the request.
    var sendings = 0
    var isReused = false
    /// Nanoseconds that a reused connection had rested.
    private(set) var rested: UInt64 = 0
    var isTLS = false
    /// The TLS stream of this attempt; 0 = none.
    private(set) var tlsStream: UInt = 0
    /// Why we made libcurl stop.
    var stop: Stop?
    var isVerbose = false
    /// HTTP/2: the trace is always on.
    var tracesStreams = false
    /// The HTTP/2 stream of this attempt; 0: none yet.
    private var stream: UInt64 = 0
    var forbidsReuse = false
    var isFresh = false
    /// Never pools: see `configure`.
    var isSingleUse = false
    private var resolveList: UnsafeMutablePointer<curl_slist>?
    private var connectList: UnsafeMutablePointer<curl_slist>?
    private var asksNamesAnew = false

    enum Stop {
        /// The pooled connection was unfit: nothing was sent on it.
        case staleConnection
        /// libcurl was about to send the request a second time by itself.
        case silentResend
    }

    init?(loop: EventLoop, reactor: CurlReactor) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe self.easy = easy
        self.reactor = reactor
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        timer = loop.timer { [unowned self] in transfer?.deadlinePassed() }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe gw_set_pointer(easy, CURLOPT_PRIVATE, context)
        _ = unsafe gw_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        _ = unsafe gw_on_header(easy, onHeaderLine, context)
        _ = unsafe gw_on_body(easy, onBodyPiece, context)
        _ = unsafe gw_on_read(easy, onBodyWanted, context)
        _ = unsafe gw_on_open(easy, onSocketOpening, context)
        _ = unsafe gw_on_prerequest(easy, onRequestDue, context)
        _ = unsafe gw_on_debug(easy, onDebugText, context)
        _ = unsafe gw_on_close(easy, onSocketClosed, Unmanaged.passUnretained(reactor).toOpaque())
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe gw_url_free(url)
        unsafe curl_slist_free_all(resolveList)
        unsafe curl_slist_free_all(connectList)
        unsafe errorText.deallocate()
    }

    /// Parsed here, once: as text libcurl would parse it for every transfer (8 mallocs). One that is none stays text, and
    /// every transfer fails with libcurl's reason.
    func setURL(_ text: String) {
        unsafe url = gw_url(text)
        if let url = unsafe url { _ = unsafe gw_set_url(easy, url) } else { set(CURLOPT_URL, text) }
    }

    func set(_ option: CURLoption, _ value: Int) { _ = unsafe gw_set_long(easy, option, value) }
    func set(_ option: CURLoption, size value: Int64) { _ = unsafe gw_set_size(easy, option, value) }
    func set(_ option: CURLoption, _ text: String?) { _ = unsafe gw_set_text(easy, option, text) }

    /// libcurl's own words. Only for what fails before a request is sent: they may quote what was received.
    var errorDescription: String { unsafe String(cString: errorText) }

    var systemError: Int32 { Int32(truncatingIfNeeded: unsafe gw_info_long(easy, CURLINFO_OS_ERRNO)) }

    /// Address of the connection, without brackets.
    var primaryAddress: String? {
        guard let text = unsafe gw_info_text(easy, CURLINFO_PRIMARY_IP) else { return nil }
        return unsafe String(cString: text)
    }

    /// False only when no byte of the request can have left.
    var hasSent: Bool { unsafe sendings > 0 && gw_info_long(easy, CURLINFO_REQUEST_SIZE) > 0 }

    func beginAttempt(of transfer: CurlTransfer) {
        self.transfer = transfer
        opened.removeAll(keepingCapacity: true)
        (sendings, isReused, rested, stop, stream) = (0, false, 0, nil, 0)
        unsafe errorText[0] = 0
    }

    /// It looks for a connection, or makes one.
    var isConnecting: Bool { transfer != nil && sendings == 0 }

    /// It never came to a socket of its own: the name is still being looked up.
    var lacksAddress: Bool { sendings == 0 && opened.isEmpty }

    /// Believes nothing that the name service said before.
    func askNamesAnew() {
        asksNamesAnew = true
        set(CURLOPT_DNS_CACHE_TIMEOUT, 0)
    }

    private func believeNames() {
        if asksNamesAnew { set(CURLOPT_DNS_CACHE_TIMEOUT, Self.namesLast) }
        asksNamesAnew = false
    }

    /// The address a name last had, for when the name service fails.
    func pinName(_ entry: String) {
        unsafe curl_slist_free_all(resolveList)
        unsafe resolveList = nil
        unsafe resolveList = curl_slist_append(resolveList, entry)
        _ = unsafe gw_set_resolve(easy, resolveList)
    }

    /// For life: connections lead there, whatever the URL names.
    func connect(to address: UpstreamPlan.Address) {
        unsafe connectList = curl_slist_append(nil, "::\(address.host):\(address.port)")
        _ = unsafe gw_set_connect_to(easy, connectList)
    }

    /// From now on this transfer's connection is closed at its end.
    func forbidReuse() {
        forbidsReuse = true
        set(CURLOPT_FORBID_REUSE, 1)
    }

    /// Answers whose end libcurl finds inside a read (no body, chunked): it drops what follows in the same read and keeps
    /// the connection. Only its trace tells, so the trace is on for the rest of such an answer.
    func watchForExcess() {
        isVerbose = true
        set(CURLOPT_VERBOSE, 1)
    }

    /// This transfer's connection is known, or another one than thought.
    func ride(_ connection: CurlConnection) {
        if let previous = self.connection, previous !== connection { previous.user = nil }
        connection.user = self
        self.connection = connection
    }

    /// Undoes what a transfer switched on.
    func endAttempt() {
        if isVerbose, !tracesStreams { set(CURLOPT_VERBOSE, 0) }
        isVerbose = false
        believeNames()
        if !isSingleUse {
            if forbidsReuse { set(CURLOPT_FORBID_REUSE, 0) }
            if isFresh { set(CURLOPT_FRESH_CONNECT, 0) }
            (forbidsReuse, isFresh) = (false, false)
        }
        timer?.cancel()
        transfer = nil
        if let connection { reactor.released(connection) }
        connection = nil
    }

    // MARK: Called by libcurl

    /// The moment before the request is sent. False stops the transfer with nothing (more) sent.
    fileprivate func requestDue(localPort: Int32) -> Bool {
        guard let transfer else { return false }
        sendings += 1
        // A pooled connection died without an answer byte, and libcurl would repeat the request on another one: a POST would
        // be executed twice, and what was signed once would go out twice.
        if sendings > 1 {
            stop = .silentResend
            return false
        }
        for descriptor in opened { reactor.learnPort(of: descriptor) }
        isReused = opened.isEmpty
        let found = reactor.connection(localPort: localPort)
        if isReused, !transfer.mayUse(found) {
            found?.kill()
            stop = .staleConnection
            return false
        }
        if let found {
            if isReused { rested = reactor.rest(of: found) }
            ride(found)
        }
        if isTLS { tlsStream = unsafe reactor.tlsEnds.begin(on: easy) }
        transfer.requestDue()
        return true
    }

    fileprivate func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        let descriptor = unsafe gw_curl_socket(address)
        guard descriptor >= 0 else {
            lacksDescriptors = true
            return -1
        }
        StreamConnector.keepAlive(descriptor)
        // The name is known now; with its end the transfer would throw it away again.
        believeNames()
        opened.append(descriptor)
        reactor.opened(descriptor)
        transfer?.connectionOpened()
        return descriptor
    }

    /// The upstream's GOAWAY says that it did nothing with this request (RFC 9113 6.8).
    var isUnprocessed: Bool { stream > connection?.lastStream ?? .max }

    /// libcurl says `Excess found in a read`, `Excess found: ... (zero-length body)` and `Leftovers after chunking`.
    fileprivate func debugText(_ bytes: Span<UInt8>) {
        if tracesStreams { traceStream(bytes) }
        guard bytes.count > 6, !forbidsReuse else { return }
        let isExcess = bytes[0] == 0x45 && bytes[1] == 0x78 && bytes[2] == 0x63
        let isLeftover = bytes[0] == 0x4C && bytes[1] == 0x65 && bytes[2] == 0x66
        if isExcess || isLeftover { forbidReuse() }
    }

    /// `Using Stream ID: 3 (...)` and, to one of a connection's transfers, `recveived GOAWAY, error=0, last_stream=1`.
    private func traceStream(_ bytes: Span<UInt8>) {
        if let number = TraceText.number(behind: "Using Stream ID: ", in: bytes) {
            stream = number
        } else if TraceText.holds(" GOAWAY, ", bytes), let last = TraceText.number(behind: "last_stream=", in: bytes) {
            // A second one may only say less.
            connection?.lastStream = min(connection?.lastStream ?? .max, last)
        }
    }
}

private func handle(_ context: UnsafeMutableRawPointer?) -> CurlHandle? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
}

private func span<Result>(
    _ start: UnsafeMutablePointer<CChar>?, _ count: Int, _ body: (Span<UInt8>) -> Result
) -> Result {
    let raw = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    return unsafe raw.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
}

private func onHeaderLine(
    _ start: UnsafeMutablePointer<CChar>?, _: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = unsafe handle(context)?.transfer else { return -1 }
    return unsafe span(start, count) { transfer.headerLine($0) } ? count : -1
}

private func onBodyPiece(
    _ start: UnsafeMutablePointer<CChar>?, _: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = unsafe handle(context)?.transfer else { return -1 }
    switch unsafe span(start, count, { transfer.bodyPiece($0) }) {
    case .taken: return count
    case .paused: return gw_write_pause
    case .refused: return -1
    }
}

private func onBodyWanted(
    _ start: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let start = unsafe start, let transfer = unsafe handle(context)?.transfer else { return gw_read_abort }
    let room = unsafe UnsafeMutableRawBufferPointer(start: start, count: size * count)
    switch unsafe transfer.bodyWanted(room) {
    case .bytes(let count): return count
    case .paused: return gw_read_pause
    case .refused: return gw_read_abort
    }
}

private func onSocketOpening(
    _ context: UnsafeMutableRawPointer?, _: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> Int32 {
    guard let address = unsafe address else { return -1 }
    return unsafe handle(context)?.openSocket(address) ?? -1
}

private func onRequestDue(
    _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?, _: UnsafeMutablePointer<CChar>?, _: Int32,
    _ localPort: Int32
) -> Int32 {
    unsafe handle(context)?.requestDue(localPort: localPort) == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

private func onDebugText(
    _: UnsafeMutableRawPointer?, _ kind: curl_infotype, _ start: UnsafeMutablePointer<CChar>?, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let handle = unsafe handle(context) else { return 0 }
    if kind == CURLINFO_TEXT { unsafe span(start, count) { handle.debugText($0) } }
    if kind == CURLINFO_DATA_IN { unsafe span(start, count) { handle.transfer?.rawBody($0) } }
    return 0
}
