import Bytes
package import Domain
import Glibc
import HTTPWire
package import LoopKit

/// One upstream's connections in plain HTTP/1.1 on the loop, without libcurl: for `http:` upstreams at an address or a unix
/// socket. libcurl and its checks from outside are two thirds of what a passed request costs; here the same guards stand
/// inside the reader itself (`AnswerReader`).
package final class PlainTransport: UpstreamTransport {
    /// A connection may not live for ever, or an upstream that moved is never noticed.
    private static let lifetime: UInt64 = 300_000_000_000

    package private(set) var plan: UpstreamPlan
    package private(set) var gauges = TransportGauges()
    let loop: EventLoop
    private let addresses: [ListenAddress]
    private let host: [UInt8]
    /// Oldest first; the newest is used first, so that the others grow old enough to be closed.
    private var idle: [PlainConnection] = []
    private var isRetired = false
    private var poolTimer: LoopTimer?
    private var idleLimit: IdleLimit
    /// A buffer for the head of a request, lent while it goes out.
    private var spare: [UInt8] = []

    /// `nil` when this upstream needs more than plain HTTP/1.1 to an address: TLS, HTTP/2, a proxy, a name to look up.
    package init?(loop: EventLoop, plan: UpstreamPlan) {
        guard plan.scheme == .http, plan.version == .http1, plan.proxy == nil,
            let addresses = Self.addresses(of: plan)
        else { return nil }
        self.loop = loop
        self.plan = plan
        self.addresses = addresses
        host = Array(plan.authority.utf8)
        idleLimit = IdleLimit(cap: plan.idleAge)
        poolTimer = loop.timer { [unowned self] in expireIdle() }
    }

    private static func addresses(of plan: UpstreamPlan) -> [ListenAddress]? {
        if let path = plan.unixSocket { return [.unix(path: path)] }
        let place = plan.place
        // RFC 6761 6.3: never a question to a name server.
        if place.host == "localhost" { return ["127.0.0.1", "::1"].map { .tcp(host: $0, port: place.port) } }
        var host = place.host
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        return IPAddress(parsing: host) == nil ? nil : [.tcp(host: host, port: place.port)]
    }

    package func start(_ request: UpstreamRequest, delegate: any TransferDelegate) -> any UpstreamTransfer {
        let transfer = PlainTransfer(request: request, transport: self, delegate: delegate)
        gauges.transfers += 1
        launch(transfer)
        return transfer
    }

    package func planChanged(_ plan: UpstreamPlan) {
        self.plan = plan
        idleLimit.capped(at: plan.idleAge)
        while idle.count > mostIdle { idle.removeFirst().close() }
        expireIdle()
    }

    package func retire() {
        isRetired = true
        for connection in idle { connection.close() }
        idle = []
    }

    // MARK: One attempt

    private func launch(_ transfer: PlainTransfer) {
        var head = takeBuffer()
        guard compose(transfer.request, into: &head) else {
            giveBack(&head)
            return transfer.refuse(.local, "the request cannot be sent")
        }
        gauges.inFlight += 1
        if let connection = takeIdle(for: transfer.request) {
            transfer.begin(on: connection, head: head, isReused: true)
        } else {
            giveBack(&head)
            dial(for: transfer)
        }
    }

    private func dial(for transfer: PlainTransfer) {
        let (connect, total) = (plan.timeouts.connect, plan.timeouts.total)
        let timeout = total == 0 ? connect : min(connect, total)
        // A cycle until the end of the attempt: nobody else need hold a transfer that is being dialed.
        transfer.dial(Dialer(loop: loop, addresses: addresses, timeout: timeout) { transfer.dialed($0) })
    }

    /// A fresh connection for a transfer that waited for one.
    func opened(_ descriptor: Int32, for transfer: PlainTransfer) {
        gauges.connectionsOpened += 1
        var head = takeBuffer()
        _ = compose(transfer.request, into: &head)
        transfer.begin(on: PlainConnection(self, owning: descriptor), head: head, isReused: false)
    }

    private func compose(_ request: UpstreamRequest, into head: inout [UInt8]) -> Bool {
        let framing: RequestHeadWriter.Framing =
            switch request.body {
            case .none: request.expectsContent ? .length(0) : .none
            case .bytes(let bytes): .length(UInt64(bytes.count))
            case .stream(let count): count.map { .length($0) } ?? .chunked
            }
        return RequestHeadWriter.append(
            method: request.method, target: request.target, host: request.host ?? host, fields: request.fields,
            framing: framing, to: &head)
    }

    private func takeBuffer() -> [UInt8] {
        var buffer: [UInt8] = []
        swap(&buffer, &spare)
        return buffer
    }

    /// The next head is written where this one was.
    func giveBack(_ buffer: inout [UInt8]) {
        guard buffer.capacity <= 65_536 else { return buffer = [] }
        buffer.removeAll(keepingCapacity: true)
        swap(&buffer, &spare)
        buffer = []
    }

    // MARK: Ends

    /// The transfer is over in order; its connection may serve the next one.
    func release(_ connection: PlainConnection, wasReused: Bool, isReusable: Bool) {
        gauges.inFlight -= 1
        if wasReused { idleLimit.served() }
        connection.user = nil
        connection.timer?.cancel()
        let isYoung = loop.now < connection.openedAt &+ Self.lifetime
        guard isReusable, isYoung, !isRetired, idle.count < mostIdle else {
            return connection.close()
        }
        connection.lastUsed = loop.now
        idle.append(connection)
        if poolTimer?.isArmed == false { poolTimer?.arm(after: plan.idleAge) }
    }

    /// An attempt broke; nothing is sent twice from here.
    func broke(_ transfer: PlainTransfer, _ failure: TransferFailure) {
        gauges.inFlight -= 1
        if failure.kind == .reset, transfer.isLost { idleLimit.lost(now: loop.now) }
        if let since = transfer.silentSince(failure.kind) { dropIdle(silentSince: since) }
        transfer.finish()?.transferFailed(failure)
    }

    func cancelled(_ transfer: PlainTransfer) {
        if transfer.isLaunched { gauges.inFlight -= 1 }
        if let since = transfer.silentSince(nil) { dropIdle(silentSince: since) }
        _ = transfer.finish()
    }

    func learn(from fields: PairBlock) { idleLimit.announced(fields) }

    // MARK: Pool

    private var mostIdle: Int { plan.mostConnections }

    private func takeIdle(for request: UpstreamRequest) -> PlainConnection? {
        if request.wantsFreshConnection { return nil }
        while let connection = idle.last {
            let rest = loop.now &- connection.lastUsed
            // The others have rested longer still.
            guard rest < plan.idleAge, request.isIdempotent || rest < idleLimit.forUnsafeMethods(now: loop.now) else {
                return nil
            }
            idle.removeLast()
            // Its closing, or bytes that nobody asked for, may wait in the socket while the event waits in the loop.
            guard connection.socket.hasPendingInput else { return connection }
            gauges.staleConnections += 1
            connection.close()
        }
        return nil
    }

    /// A pooled connection was dead: see `SilentConnection`.
    private func dropIdle(silentSince since: UInt64) {
        let kept = idle.filter { $0.lastUsed > since }
        gauges.staleConnections += UInt64(idle.count - kept.count)
        for connection in idle where connection.lastUsed <= since { connection.close() }
        idle = kept
    }

    /// The upstream closed an idle connection, or sent what would be taken for the next request's answer.
    func idleReadable(_ connection: PlainConnection) {
        let outcome = connection.socket.read(limit: 1) { _ in }
        if outcome == .blocked { return }
        gauges.idleClosed += 1
        switch outcome {
        case .read: gauges.unsolicited += 1
        // It vanished; that says nothing about what it would have done.
        case .failed(ETIMEDOUT): break
        case .ended, .failed, .blocked: idleLimit.observed(loop.now &- connection.lastUsed)
        }
        idle.removeAll { $0 === connection }
        connection.close()
    }

    private func expireIdle() {
        while let oldest = idle.first {
            let due = oldest.lastUsed &+ plan.idleAge
            guard due <= loop.now else {
                poolTimer?.arm(after: due - loop.now)
                return
            }
            oldest.close()
            idle.removeFirst()
        }
    }
}
