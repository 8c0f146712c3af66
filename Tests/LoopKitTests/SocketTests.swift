import Bytes
import Glibc
import LoopKit
import Testing

extension LoopKitTests {
    /// A connected pair: accepted side first.
    private func pair(
        _ loop: EventLoop, _ address: ListenAddress = .tcp(host: "127.0.0.1", port: 0)
    ) throws -> (SocketProbe, SocketProbe) {
        var accepted: SocketProbe?
        let listener = try ListenerSocket(loop: loop, address: address) { descriptor, _ in
            accepted = SocketProbe(loop, descriptor)
            loop.stop()
        }
        let client = SocketProbe(loop, try StreamConnector.connect(to: listener.boundAddress))
        run(loop)
        return (try #require(accepted), client)
    }

    @Test func `bytes are echoed and the end is seen`() throws {
        let loop = try EventLoop()
        let (server, client) = try pair(loop)
        server.onReadable = { probe in
            var bytes: [UInt8] = []
            let outcome = probe.socket.read(into: &bytes)
            #expect(probe.socket.write(bytes.span) == .wrote(bytes.count))
            if outcome == .ended { probe.socket.close() }
        }
        client.onReadable = { probe in
            probe.readAll()
            if probe.received.count == 10, !probe.isEnded { probe.socket.shutdownWrites() }
            if probe.isEnded { loop.stop() }
        }
        let (head, body) = ([UInt8]("head "), [UInt8]("body!"))
        #expect(client.socket.write(head.span, body.span) == .wrote(10))
        run(loop)
        #expect(client.received == [UInt8]("head body!"))
        #expect(!server.socket.isOpen)
    }

    @Test func `a full socket blocks and becomes writable again; nothing is lost`() throws {
        let loop = try EventLoop()
        let (server, client) = try pair(loop)
        client.socket.watchReads(false)
        let total = 12_000_000
        let data = (0..<total).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        var sent = 0
        var blocked = 0
        func pump() {
            while sent < total {
                let rest = data[sent...]
                switch server.socket.write(rest.span) {
                case .wrote(let count): sent += count
                case .blocked:
                    blocked += 1
                    server.socket.watchWrites(true)
                    if blocked == 1 { loop.atEndOfTick { client.socket.watchReads(true) } }
                    return
                case .failed(let code):
                    Issue.record("write failed: \(code)")
                    return loop.stop()
                }
            }
            server.socket.watchWrites(false)
            server.socket.shutdownWrites()
        }
        server.onWritable = { _ in pump() }
        client.onReadable = { probe in
            probe.readAll()
            if probe.isEnded { loop.stop() }
        }
        pump()
        run(loop)
        #expect(blocked > 0)
        #expect(client.received == data)
    }

    @Test func `a reset is an error at the peer, a close is an end`() throws {
        let loop = try EventLoop()
        let (server, client) = try pair(loop)
        var outcome: ReadOutcome?
        client.onReadable = { probe in
            outcome = probe.readAll()
            loop.stop()
        }
        server.socket.reset()
        run(loop)
        #expect(outcome == .failed(ECONNRESET))
        #expect(server.socket.read(into: &server.received) == .failed(EBADF))
        let byte: [UInt8] = [1]
        #expect(server.socket.write(byte.span) == .failed(EBADF))
    }

    @Test func `a consumer that reads another socket keeps its own bytes`() throws {
        let loop = try EventLoop()
        let (one, oneClient) = try pair(loop)
        let (two, twoClient) = try pair(loop)
        let (outerBytes, innerBytes) = ([UInt8](repeating: 1, count: 100), [UInt8](repeating: 2, count: 100))
        _ = oneClient.socket.write(outerBytes.span)
        _ = twoClient.socket.write(innerBytes.span)
        var copy: [UInt8] = []
        two.onReadable = { probe in
            probe.socket.watchReads(false)
            loop.stop()
        }
        run(loop)
        one.onReadable = { _ in loop.stop() }
        run(loop)
        let outcome = one.socket.read { outer in
            _ = two.socket.read { inner in #expect(inner[0] == 2) }
            copy.append(copying: outer)
        }
        #expect(outcome == .read(100))
        #expect(copy == outerBytes)
    }

    @Test func `an idle connection allocates nothing on the heap beyond its objects`() async {
        await #expect(processExitsWith: .success) { attempt { try IdleMemory.measure() } }
    }
}
