import Bytes
import Domain
import LoopKit

/// Writing to the client.
extension Connection {
    /// Queues bytes of the answer; they leave at the end of the tick.
    func send(_ bytes: Span<UInt8>) -> TransferFlow {
        guard phase != .closed else { return .proceed }
        output.append(bytes)
        exchange?.record.bytesOut += UInt64(bytes.count)
        worker.flushLater(self)
        return output.count > Watermark.high ? .pause : .proceed
    }

    func send(_ bytes: [UInt8]) { _ = send(bytes.span) }

    /// The same, and the buffer itself is kept when nothing waits; the caller's is empty afterwards.
    func send(owning bytes: inout [UInt8]) {
        guard phase != .closed, output.isEmpty else { return send(bytes) }
        exchange?.record.bytesOut += UInt64(bytes.count)
        output.append(bytes)
        bytes = []
        worker.flushLater(self)
    }

    func socketWritable() { flush() }

    /// Writes what waits, as much as the socket takes.
    func flush() {
        isDirty = false
        guard phase != .closed else { return }
        while !output.isEmpty {
            let waiting = output.slice
            switch socket.write(waiting.span) {
            case .wrote(let count):
                output.consume(count)
            case .blocked:
                socket.watchWrites(true)
                if phase == .exchange || phase == .lingering { deadlines.writeStalled() }
                return notifyDrained()
            case .failed:
                return abandon()
            }
        }
        socket.watchWrites(false)
        if phase == .exchange, body.isComplete { deadlines.none() }
        notifyDrained()
        if closesAfterOutput, phase == .lingering { beginLinger() }
    }

    private func notifyDrained() {
        if output.count < Watermark.low { exchange?.downstreamDrained() }
    }

    private func beginLinger() {
        socket.shutdownWrites()
        deadlines.linger()
        socket.watchReads(true)
    }
}

/// Bytes that may wait for one client before the upstream is paused, and when it goes on (reliability 4: 256 and 64 KiB).
enum Watermark {
    static let high = 256 * 1024
    static let low = 64 * 1024
}
