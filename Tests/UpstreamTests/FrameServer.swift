import LoopKit

/// Just enough HTTP/2 (RFC 9113) to answer any request with `200` and `ok`, without TLS.
final class FrameServer {
    private var listener: ListenerSocket?
    private var connections: [FrameConnection] = []
    var accepted: Int { connections.count }
    var streams: [UInt8] { connections.flatMap(\.streams) }

    init(_ loop: EventLoop) throws {
        listener = try ListenerSocket(loop: loop, address: .tcp(host: "127.0.0.1", port: 0)) {
            [unowned self] descriptor, _ in
            connections.append(FrameConnection(ByteSocket(loop: loop, owning: descriptor)))
        }
    }

    var port: UInt16 {
        guard case .tcp(_, let port)? = listener?.boundAddress else { return 0 }
        return port
    }
}
