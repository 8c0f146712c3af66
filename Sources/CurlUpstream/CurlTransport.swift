import Bytes
import CCurl
import CCurlShims
package import Domain
import HTTPWire
package import LoopKit

/// One upstream's connections, on libcurl's multi interface and the loop. One transport per TLS identity: libcurl has
/// mixed up client certificates of connections that share a pool.
package final class CurlTransport: UpstreamTransport {
    package private(set) var plan: UpstreamPlan
    package internal(set) var gauges = TransportGauges()
    let loop: EventLoop
    private let share = CurlShare()
    /// `nil` until the first transfer and after the pool was dropped.
    private var reactor: CurlReactor?
    /// Every handle libcurl may call back, and the free ones.
    private var active: [CurlHandle] = []
    private var free: [CurlHandle] = []
    /// Begin at the end of the tick: `start` may be called from inside libcurl.
    private var starting: [CurlTransfer] = []
    private var isPumpPlanned = false
    private var poolTimer: LoopTimer?
    private var isRetired = false
    /// Cancelled or to be resumed while libcurl was on the stack.
    private var removals: [CurlTransfer] = []
    private var pauseChanges: [CurlTransfer] = []
    private var idleLimit: IdleLimit
    private var names = NameDoubt()
    /// `+host:port:address` of the last connection, for when the name service fails. Settable for tests.
    package var lastAddress: String?

    package init(loop: EventLoop, plan: UpstreamPlan) {
        self.loop = loop
        self.plan = plan
        idleLimit = IdleLimit(cap: plan.idleAge)
        poolTimer = loop.timer { [unowned self] in dropPool() }
    }

    deinit {
        free = []
        reactor?.shutDown()
    }

    package func start(_ request: UpstreamRequest, delegate: any TransferDelegate) -> any UpstreamTransfer {
        let transfer = CurlTransfer(request: request, plan: plan, loop: loop, transport: self, delegate: delegate)
        gauges.transfers += 1
        starting.append(transfer)
        planPump()
        return transfer
    }

    package func planChanged(_ plan: UpstreamPlan) {
        let isOther = plan.idleAge != self.plan.idleAge
        self.plan = plan
        reactor?.limit(connections: plan.mostConnections)
        if plan.mostConnections == 0 { dropPool() }
        guard isOther else { return }
        idleLimit.capped(at: plan.idleAge)
        if poolTimer?.isArmed == true { poolTimer?.arm(after: plan.idleAge) }
    }

    package func retire() {
        isRetired = true
        dropPool()
    }

    // MARK: Start

    private func planPump() {
        guard !isPumpPlanned else { return }
        isPumpPlanned = true
        loop.atEndOfTick { self.pump() }
    }

    private func pump() {
        isPumpPlanned = false
        guard applyPauses() else { return planPump() }
        let transfers = starting
        starting = []
        var hasBegun = false
        for transfer in transfers where transfer.stage != .over {
            hasBegun = launch(transfer, isFresh: transfer.request.wantsFreshConnection) || hasBegun
        }
        if hasBegun { reactor?.begin() }
    }

    /// Ends a transfer that libcurl never saw.
    private func refuse(_ transfer: CurlTransfer) {
        guard let fault = transfer.fault, transfer.stage != .over else { return }
        transfer.finish()?.transferFailed(
            TransferFailure(kind: fault.kind, requestSent: false, connectionReused: false, detail: fault.detail))
    }

    // MARK: One attempt

    private func launch(_ transfer: CurlTransfer, isFresh: Bool, pinning address: String? = nil) -> Bool {
        guard let handle = takeHandle(), handle.prepare(transfer.request, plan: plan, isFresh: isFresh) else {
            transfer.fail(.local, "the request cannot be sent")
            refuse(transfer)
            return false
        }
        if let address { handle.pinName(address) } else if names.settle(loop.now) { handle.askNamesAnew() }
        transfer.stage = .connecting
        transfer.handle = handle
        handle.beginAttempt(of: transfer)
        handle.slot = active.count
        active.append(handle)
        gauges.inFlight = active.count
        poolTimer?.cancel()
        guard unsafe handle.reactor.add(handle.easy) else {
            transfer.fail(.local, "libcurl refused the handle")
            detach(handle)
            refuse(transfer)
            return false
        }
        transfer.armTimer()
        return true
    }

    private func takeHandle() -> CurlHandle? {
        if let handle = free.popLast() { return handle }
        guard let reactor = readyReactor(), let handle = CurlHandle(loop: loop, reactor: reactor) else { return nil }
        handle.configure(plan, share: share)
        return handle
    }

    private func readyReactor() -> CurlReactor? {
        if let reactor { return reactor }
        let isMultiplexed = plan.version == .http2
        reactor = CurlReactor(loop: loop, maxConnections: plan.mostConnections, isMultiplexed: isMultiplexed)
        reactor?.onProgress = { [unowned self] in progressed() }
        reactor?.idleClosed = { [unowned self] age, hadBytes in
            gauges.idleClosed += 1
            if hadBytes { gauges.unsolicited += 1 } else if let age { idleLimit.observed(age) }
        }
        return reactor
    }

    /// Takes a handle out of libcurl and of the table. The caller drops or pools it.
    private func detach(_ handle: CurlHandle) {
        unsafe handle.reactor.remove(handle.easy)
        handle.endAttempt()
        let last = active.removeLast()
        if last !== handle {
            active[handle.slot] = last
            last.slot = handle.slot
        }
        gauges.inFlight = active.count
        if active.isEmpty, starting.isEmpty {
            if isRetired { loop.atEndOfTick { self.dropPool() } }
            poolTimer?.arm(after: plan.idleAge)
        }
    }

    /// Closes the idle connections. libcurl cannot do that to a multi handle in use, so it waits for the last exchange.
    private func dropPool() {
        guard active.isEmpty, starting.isEmpty, let reactor, !reactor.isInside else { return }
        isRetired = false
        free = []
        self.reactor = nil
        reactor.shutDown()
    }

    // MARK: Results

    private func progressed() {
        // A delegate may let go of the transport.
        withExtendedLifetime(self) {
            while let reactor, let (handle, code) = reactor.nextFinished() {
                finished(handle, code)
            }
            for transfer in removals { remove(transfer) }
            removals.removeAll(keepingCapacity: true)
        }
    }

    private func finished(_ handle: CurlHandle, _ code: CURLcode) {
        guard let transfer = handle.transfer else { return detach(handle) }
        let isOver = transfer.stage == .over
        let wasCut = handle.isTLS && transfer.endsWithConnection && !handle.reactor.tlsEnds.take(handle.tlsStream)
        if code == CURLE_OK, !wasCut, transfer.fault == nil, transfer.builder.isFinalComplete, !isOver {
            if handle.isReused { idleLimit.served() } else { rememberAddress(handle) }
            detach(handle)
            free.append(handle)
            transfer.finish()?.transferCompleted()
            return
        }
        if transfer.endsAtHead, transfer.builder.isFinalComplete, !isOver {
            detach(handle)
            transfer.finish()?.transferCompleted()
            return
        }
        if code == CURLE_OK {
            wasCut
                ? transfer.fail(.reset, "the TLS stream was cut: the answer may not be whole")
                : transfer.fail(.malformedAnswer, "no final head")
        }
        let failure = CurlFailure.of(code, handle: handle, transfer: transfer, plan: plan)
        detach(handle)
        guard !isOver else {
            _ = transfer.finish()
            return
        }
        if retry(transfer, failure, handle) { return }
        failed(transfer, failure.kind, handle)
        transfer.finish()?.transferFailed(failure)
    }

    /// One second attempt, and only where nothing was sent at the first.
    private func retry(_ transfer: CurlTransfer, _ failure: TransferFailure, _ handle: CurlHandle) -> Bool {
        guard !transfer.hasRetried, transfer.fault == nil, transfer.isUntouched else { return false }
        let isNameless = failure.kind == .dns || (failure.kind == .connectTimeout && handle.lacksAddress)
        if isNameless, let lastAddress {
            gauges.addressesKept += 1
            again(transfer, isFresh: false, pinning: lastAddress)
        } else if handle.stop == .staleConnection {
            gauges.staleConnections += 1
            again(transfer, isFresh: true)
        } else if failure.kind == .refused || failure.kind == .unreachable, movesWithName {
            // Nobody is there any more: the name may have moved, which is known at once.
            names.raise()
            guard names.maySettle(loop.now) else { return false }
            again(transfer, isFresh: true)
        } else {
            return false
        }
        return true
    }

    private func again(_ transfer: CurlTransfer, isFresh: Bool, pinning address: String? = nil) {
        transfer.rewind()
        if launch(transfer, isFresh: isFresh, pinning: address) { planBegin() }
    }

    /// A failure for good: what else does it say?
    private func failed(_ transfer: CurlTransfer, _ kind: TransferFailure.Kind, _ handle: CurlHandle) {
        if kind != .overloaded, kind != .local { names.raise() }
        if kind == .reset, handle.isReused, !transfer.hasAnswerBytes { idleLimit.lost(now: loop.now) }
        dropSilent(transfer, kind, handle)
    }

    private func dropSilent(_ transfer: CurlTransfer, _ kind: TransferFailure.Kind?, _ handle: CurlHandle) {
        guard handle.isReused, let reactor, let since = transfer.silentSince(kind) else { return }
        gauges.staleConnections += UInt64(reactor.dropIdle(silentSince: since))
    }

    /// Its connections lead where a name says, which may change.
    private var movesWithName: Bool {
        if plan.unixSocket != nil { return false }
        return plan.proxy != nil || IPAddress(parsing: plan.place.host.filter { $0 != "[" && $0 != "]" }) == nil
    }

    private func planBegin() {
        loop.atEndOfTick { self.reactor?.begin() }
    }

    private func rememberAddress(_ handle: CurlHandle) {
        guard plan.unixSocket == nil, plan.proxy == nil else { return }
        guard let address = handle.primaryAddress, !address.isEmpty else { return }
        lastAddress = "+\(plan.place.host):\(plan.place.port):\(address)"
    }

    func expired(_ transfer: CurlTransfer, _ kind: TransferFailure.Kind, _ detail: String) {
        guard transfer.stage != .over, let handle = transfer.handle else { return }
        let failure = TransferFailure(
            kind: kind, requestSent: handle.hasSent, connectionReused: handle.isReused,
            connectionRested: handle.rested, detail: detail)
        detach(handle)
        failed(transfer, kind, handle)
        transfer.finish()?.transferFailed(failure)
    }

    func cancelled(_ transfer: CurlTransfer) {
        if transfer.handle == nil {
            _ = transfer.finish()
        } else if let reactor, reactor.isInside {
            // The callback that is running gives up by itself; another transfer has to wait until libcurl is done.
            transfer.silence()
            removals.append(transfer)
        } else {
            remove(transfer)
        }
    }

    private func remove(_ transfer: CurlTransfer) {
        if let handle = transfer.handle {
            detach(handle)
            dropSilent(transfer, nil, handle)
        }
        _ = transfer.finish()
    }

    // MARK: Pauses

    func pausesChanged(_ transfer: CurlTransfer) {
        pauseChanges.append(transfer)
        planPump()
    }

    /// `curl_easy_pause` calls back into delegates at once, so it runs at the end of the tick, from nowhere else.
    private func applyPauses() -> Bool {
        guard let reactor, !pauseChanges.isEmpty else { return true }
        if reactor.isInside { return false }
        let changes = pauseChanges
        pauseChanges = []
        for transfer in changes {
            guard let handle = transfer.handle, transfer.stage != .over else { continue }
            unsafe reactor.unpause(handle.easy, keeping: transfer.pauseMask)
        }
        reactor.begin()
        return true
    }

    // MARK: Pool

    /// May a request go out on this pooled connection? `nil`: not known which one it is (unix sockets).
    func mayUse(_ connection: CurlConnection?, for transfer: CurlTransfer) -> Bool {
        guard plan.version != .http2 else { return true }
        guard let connection else { return plan.unixSocket != nil && reactor?.hasUnfitIdleConnection == false }
        if connection.isDead || connection.hasPendingInput { return false }
        // libcurl's own clock stands still while the machine sleeps.
        let rest = reactor?.rest(of: connection) ?? 0
        return connection.lastUsed == 0
            || rest < (transfer.request.isIdempotent ? plan.idleAge : idleLimit.forUnsafeMethods(now: loop.now))
    }

    func learn(from fields: PairBlock) { idleLimit.announced(fields) }
}
