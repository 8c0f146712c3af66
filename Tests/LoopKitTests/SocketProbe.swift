import LoopKit

/// A socket whose events are closures.
final class SocketProbe: ByteSocketDelegate {
    let socket: ByteSocket
    var onReadable: (SocketProbe) -> Void = { _ in }
    var onWritable: (SocketProbe) -> Void = { _ in }
    var received: [UInt8] = []
    var isEnded = false

    init(_ loop: EventLoop, _ descriptor: Int32) {
        socket = ByteSocket(loop: loop, owning: descriptor)
        socket.delegate = self
        socket.watchReads(true)
    }

    func socketReadable() { onReadable(self) }
    func socketWritable() { onWritable(self) }

    @discardableResult
    func readAll() -> ReadOutcome {
        while true {
            let outcome = socket.read(into: &received)
            if case .read = outcome { continue }
            if outcome != .blocked { isEnded = true }
            return outcome
        }
    }
}
