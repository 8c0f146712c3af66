import Bytes
import CurlUpstream
import Domain
import Glibc
import LoopKit
import Testing

extension UpstreamTests {
    @Test(arguments: TransportKind.allCases)
    func `nobody listens: refused, nothing sent`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        bench.upstream.stopListening()
        let failure = try #require(bench.get().failure)
        #expect(failure.kind == .refused)
        #expect(!failure.requestSent)
        #expect(failure.detail.contains("refused"))
        bench.plan.unixSocket = "/tmp/there-is-no-such-socket"
        let other = kind.make(bench.loop, bench.plan)
        let exchange = Exchange()
        _ = other.start(bench.request(), delegate: exchange)
        bench.wait(for: [exchange])
        #expect(exchange.failure?.kind == .refused)
    }

    @Test func `an unknown name is a matter of names`() throws {
        let bench = try Bench { $0.host = "no-such-host.invalid" }
        let failure = try #require(bench.get().failure)
        #expect(failure.kind == .dns)
        #expect(!failure.requestSent)
    }

    @Test func `while the name service fails, the last good address is used`() throws {
        let bench = try Bench { $0.host = "no-such-host.invalid" }
        let transport = try #require(bench.transport as? CurlTransport)
        transport.lastAddress = "+no-such-host.invalid:\(bench.upstream.port):127.0.0.1"
        let exchange = bench.run(bench.request("POST", "/x", body: .bytes([1])))
        #expect(exchange.isCompleted, "\(String(describing: exchange.failure))")
        #expect(bench.transport.gauges.addressesKept == 1)
        #expect(bench.upstream.seen.count == 1)
    }

    /// libcurl 7.88 by itself goes to sleep between the two.
    @Test func `an address that swallows handshakes leaves half of the time for the next one`() throws {
        let bench = try Bench {
            $0.host = "no-such-host.invalid"
            $0.timeouts.connect = 1_000_000_000
        }
        let hole = try BlackHole("127.0.0.2", port: bench.upstream.port)
        defer { hole.close() }
        let transport = try #require(bench.transport as? CurlTransport)
        transport.lastAddress = "+no-such-host.invalid:\(bench.upstream.port):127.0.0.2,127.0.0.1"
        let start = bench.loop.clock
        let exchange = bench.run(bench.request("POST", "/x", body: .bytes([1])))
        #expect(exchange.isCompleted, "\(String(describing: exchange.failure))")
        #expect(bench.loop.clock - start >= 500_000_000)
    }

    @Test func `a good address is remembered`() throws {
        let bench = try Bench { $0.host = "localhost" }
        bench.get()
        #expect((bench.transport as? CurlTransport)?.lastAddress == "+localhost:\(bench.upstream.port):127.0.0.1")
    }

    @Test(arguments: TransportKind.allCases)
    func `a listener that never accepts costs the connect deadline`(kind: TransportKind) throws {
        let bench = try Bench(kind) { $0.timeouts.connect = 100_000_000 }
        let hole = try BlackHole("127.0.0.1")
        defer { hole.close() }
        bench.plan.port = hole.port
        let start = bench.loop.now
        let failure = try #require(bench.get().failure)
        #expect(failure.kind == .connectTimeout)
        #expect(!failure.requestSent)
        #expect(bench.loop.now - start < 2_500_000_000)
    }

    @Test(
        arguments: TransportKind.allCases,
        [
            "silence", "drip", "interim",
        ])
    func `the first-byte deadline is a total that nothing moves`(kind: TransportKind, upstream: String) throws {
        let bench = try Bench(kind) { plan in
            plan.timeouts.firstByte = 150_000_000
            plan.maxInterim = 1000
        }
        bench.upstream.script = { _ in
            switch upstream {
            case "drip": (0..<100).flatMap { _ in [.wait(milliseconds: 10), .send([0x48])] }
            case "interim":
                (0..<100).flatMap { _ in [.wait(milliseconds: 10), .send([UInt8]("HTTP/1.1 102 Processing\r\n\r\n"))] }
            default: []
            }
        }
        if upstream == "drip" {
            bench.upstream.script = { _ in
                [.send([UInt8]("HTTP/1.1 200 OK\r\nX: "))]
                    + (0..<100).flatMap { _ in [.wait(milliseconds: 10), .send([0x48])] as [ScriptedUpstream.Step] }
            }
        }
        let start = bench.loop.now
        let exchange = bench.get()
        #expect(exchange.failure?.kind == .firstByteTimeout)
        #expect(exchange.failure?.requestSent == true)
        #expect(150_000_000..<3_000_000_000 ~= bench.loop.now - start)
        #expect(exchange.head == nil)
    }

    @Test(arguments: TransportKind.allCases)
    func `the idle deadline counts silence in the body only`(kind: TransportKind) throws {
        let bench = try Bench(kind) { plan in
            plan.timeouts.firstByte = 60_000_000
            plan.timeouts.idle = 60_000_000
        }
        bench.upstream.script = { seen in
            let head = [UInt8]("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            let drip = (0..<10).flatMap { _ in [.wait(milliseconds: 15), .send([0x48])] as [ScriptedUpstream.Step] }
            return [.send(head)] + (seen.target.text == "/slow" ? drip : [.send([1])])
        }
        #expect(bench.get("/slow").isCompleted)
        let start = bench.loop.now
        let stalled = bench.get("/stalled")
        #expect(stalled.failure?.kind == .idleTimeout)
        #expect(stalled.head != nil)
        #expect(60_000_000..<3_000_000_000 ~= bench.loop.now - start)
    }

    @Test(arguments: TransportKind.allCases)
    func `the total deadline ends even a lively transfer`(kind: TransportKind) throws {
        let bench = try Bench(kind) { $0.timeouts.total = 100_000_000 }
        bench.upstream.script = { _ in
            [.send([UInt8]("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"))]
                + (0..<1000).flatMap { _ in [.wait(milliseconds: 5), .send([0x48])] as [ScriptedUpstream.Step] }
        }
        let start = bench.loop.now
        #expect(bench.get().failure?.kind == .totalTimeout)
        #expect(bench.loop.now - start < 3_000_000_000)
    }

    @Test(arguments: TransportKind.allCases)
    func `a slow upload is under the idle deadline, not the first-byte one`(kind: TransportKind) throws {
        let bench = try Bench(kind) { plan in
            plan.timeouts.firstByte = 60_000_000
            plan.timeouts.idle = 500_000_000
        }
        let exchange = Exchange()
        var pieces = 0
        let timer = bench.loop.timer { exchange.transfer?.bodyAvailable() }
        exchange.supply = { buffer, _ in
            pieces += 1
            if pieces % 2 == 1 {
                timer.arm(after: 20_000_000)
                return .wait
            }
            buffer.append(UInt8(truncatingIfNeeded: pieces))
            return pieces == 20 ? .end : .more
        }
        bench.run(bench.request("POST", "/", body: .stream(count: nil)), exchange)
        #expect(exchange.isCompleted, "\(String(describing: exchange.failure))")
        #expect(bench.upstream.seen.first?.body.count == 10)
        #expect(bench.upstream.seen.first?.field("transfer-encoding") == "chunked")
    }

    @Test(arguments: TransportKind.allCases)
    func `an upload that the upstream does not read trips the idle deadline`(kind: TransportKind) throws {
        let bench = try Bench(kind) { plan in
            plan.timeouts.firstByte = 10_000_000_000
            plan.timeouts.idle = 100_000_000
        }
        bench.upstream.readsBodies = false
        let exchange = Exchange()
        exchange.supply = { buffer, limit in
            buffer.append(contentsOf: repeatElement(7, count: limit))
            return .more
        }
        bench.run(bench.request("POST", "/", body: .stream(count: nil)), exchange)
        #expect(exchange.failure?.kind == .idleTimeout)
        #expect(exchange.failure?.requestSent == true)
    }

    @Test(
        arguments: TransportKind.allCases,
        [
            (UInt64?(5), 4, "end"), (5, 6, "end"), (nil, 3, "abort"), (5, 0, "abort"), (5, 5, "fine"), (nil, 0, "fine"),
        ])
    func `a stream must keep its word`(kind: TransportKind, stream: (UInt64?, Int, String)) throws {
        let (declared, given, end) = stream
        let bench = try Bench(kind)
        let exchange = Exchange()
        exchange.supply = { buffer, _ in
            buffer.append(contentsOf: repeatElement(7, count: given))
            return end == "abort" ? .abort : .end
        }
        bench.run(bench.request("POST", "/", body: .stream(count: declared)), exchange)
        if end == "fine" {
            #expect(exchange.isCompleted)
            #expect(bench.upstream.seen.first?.body.count == given)
        } else {
            #expect(exchange.failure?.kind == .local)
            #expect(bench.upstream.seen.isEmpty)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `an early refusal of an upload is delivered`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        bench.upstream.readsBodies = false
        bench.upstream.headScript = { _ in
            [.send([UInt8]("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))]
        }
        let exchange = Exchange()
        exchange.supply = { buffer, limit in
            buffer.append(contentsOf: repeatElement(7, count: limit))
            return .more
        }
        bench.run(bench.request("POST", "/", body: .stream(count: 1_000_000_000)), exchange)
        #expect(exchange.head?.status == 413)
        #expect(exchange.isCompleted)
    }

    // MARK: Back pressure

    @Test func `a paused answer stays in the kernel and in one piece`() async {
        await #expect(processExitsWith: .success) {
            attempt { for kind in TransportKind.allCases { try BoundedMemory.whilePaused(kind) } }
        }
    }

    @Test func `storms of interim answers, trailers and chunk sizes cost no memory`() async {
        await #expect(processExitsWith: .success) {
            attempt { for kind in TransportKind.allCases { try BoundedMemory.inStorms(kind) } }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `many pauses lose nothing`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        let data = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 4) }
        bench.upstream.script = { _ in
            [.send([UInt8]("HTTP/1.1 200 OK\r\nContent-Length: \(data.count)\r\n\r\n")), .send(data)]
        }
        let exchange = Exchange()
        var pauses = 0
        exchange.onPiece = { exchange in
            pauses += 1
            if pauses % 3 == 0 { bench.loop.atEndOfTick { exchange.transfer?.resume() } }
            if pauses % 3 == 1 { exchange.transfer?.resume() }
            return pauses % 3 == 0 ? .pause : .proceed
        }
        bench.run(bench.request(), exchange)
        #expect(exchange.isCompleted)
        #expect(exchange.body == data)
        #expect(pauses > 40)
    }

    @Test(arguments: TransportKind.allCases)
    func `a pause suspends the idle deadline`(kind: TransportKind) throws {
        let bench = try Bench(kind) { $0.timeouts.idle = 40_000_000 }
        bench.upstream.script = { _ in
            [.send(ScriptedUpstream.ok("ok")), .wait(milliseconds: 1), .end]
        }
        bench.upstream.script = { _ in
            [
                .send([UInt8]("HTTP/1.1 200 OK\r\nContent-Length: 400000\r\n\r\n")),
                .send([UInt8](repeating: 1, count: 400_000)),
            ]
        }
        let exchange = Exchange()
        exchange.keepsBody = false
        exchange.onPiece = { _ in .pause }
        _ = bench.start(bench.request(), exchange)
        bench.pass(milliseconds: 150)
        #expect(exchange.failure == nil)
        exchange.onPiece = { _ in .proceed }
        exchange.transfer?.resume()
        bench.wait(for: [exchange])
        #expect(exchange.isCompleted)
    }
}
