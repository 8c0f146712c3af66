import Glibc
import LoopKit

/// A listener that never accepts; its full backlog drops further handshakes.
final class BlackHole {
    private let listener: ListenerSocket
    private let fillers: [Int32]

    init(_ host: String, port: UInt16 = 0) throws {
        var options = ListenerOptions()
        options.backlog = 0
        listener = try ListenerSocket(
            loop: try EventLoop(), address: .tcp(host: host, port: port), options: options
        ) { _, _ in }
        let address = listener.boundAddress
        fillers = try (0..<4).map { _ in try StreamConnector.connect(to: address) }
    }

    var port: UInt16 {
        guard case .tcp(_, let port) = listener.boundAddress else { return 0 }
        return port
    }

    func close() { for filler in fillers { _ = Glibc.close(filler) } }
}
