import LoopKit

/// A connection to the upstream: idle in the transport's pool, or used by one transfer.
final class PlainConnection: ByteSocketDelegate {
    let socket: ByteSocket
    /// Deadlines of whoever uses it. It stays armed from one exchange to the next, so that moving it costs a store.
    private(set) var timer: LoopTimer?
    private unowned let transport: PlainTransport
    /// Who exchanges on it; `nil` = idle. A cycle until the end of the exchange; not `weak`: see `ByteSocket.delegate`.
    var user: PlainTransfer?
    /// Loop time of the end of the last exchange; 0 = none yet.
    var lastUsed: UInt64 = 0
    let openedAt: UInt64

    init(_ transport: PlainTransport, owning descriptor: Int32) {
        self.transport = transport
        openedAt = transport.loop.now
        socket = ByteSocket(loop: transport.loop, owning: descriptor)
        timer = transport.loop.timer { [unowned self] in user?.deadlinePassed() }
        socket.delegate = self
        // For the life of the connection: while idle it tells of the upstream's closing.
        socket.watchReads(true)
    }

    func socketReadable() {
        if let user { user.readable() } else { transport.idleReadable(self) }
    }

    func socketWritable() { user?.writable() }

    func close() {
        user = nil
        timer?.cancel()
        socket.close()
    }
}
