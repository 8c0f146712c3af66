import LoopKit

/// One connection of a `FrameServer`.
final class FrameConnection: ByteSocketDelegate {
    private let socket: ByteSocket
    private var input: [UInt8] = []
    private var hasPreface = false
    private(set) var streams: [UInt8] = []

    init(_ socket: ByteSocket) {
        self.socket = socket
        socket.delegate = self
        socket.watchReads(true)
        send([0, 0, 0, 4, 0, 0, 0, 0, 0])
    }

    func socketWritable() {}

    func socketReadable() {
        guard case .read = socket.read(into: &input) else { return socket.close() }
        if !hasPreface, input.count >= 24 {
            input.removeFirst(24)
            hasPreface = true
        }
        while hasPreface, input.count >= 9 {
            let size = Int(input[0]) << 16 | Int(input[1]) << 8 | Int(input[2])
            guard input.count >= 9 + size else { return }
            frame(type: input[3], flags: input[4], stream: input[8])
            input.removeFirst(9 + size)
        }
    }

    private func frame(type: UInt8, flags: UInt8, stream: UInt8) {
        if type == 1 { streams.append(stream) }
        if type == 4, flags & 1 == 0 { send([0, 0, 0, 4, 1, 0, 0, 0, 0]) }
        // END_STREAM: `:status: 200` of the static table, then two bytes of data.
        if type < 2, flags & 1 == 1 {
            send([0, 0, 1, 1, 4, 0, 0, 0, stream, 0x88])
            send([0, 0, 2, 0, 1, 0, 0, 0, stream, 0x6F, 0x6B])
        }
    }

    private func send(_ bytes: [UInt8]) { _ = socket.write(bytes.span) }
}
