import Bytes
import CurlUpstream
import Domain
import LoopKit
import Testing

extension UpstreamTests {
    // MARK: Duplicates

    @Test(arguments: TransportKind.allCases, ["fin", "rst"])
    func `a POST that was read and not answered is seen once, on a fresh and on a pooled connection`(
        kind: TransportKind, end: String
    ) throws {
        for (isPooled, count) in [false, true].flatMap({ pooled in [nil, 0, 10, 40_000].map { (pooled, $0) } }) {
            let bench = try Bench(kind)
            if isPooled { bench.get("/warm") }
            bench.upstream.script = { _ in [end == "fin" ? .end : .reset] }
            let body = count.map { UpstreamRequest.Body.bytes([UInt8](repeating: 7, count: $0)) } ?? .none
            let exchange = bench.run(bench.request("POST", "/pay", body: body))
            bench.pass(milliseconds: 20)
            #expect(exchange.failure?.kind == .reset)
            #expect(exchange.failure?.requestSent == true)
            #expect(exchange.failure?.connectionReused == isPooled)
            #expect(bench.upstream.seen.filter { $0.target.text == "/pay" }.count == 1)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a DELETE that the caller does not call repeatable is sent once`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        bench.get()
        bench.upstream.script = { _ in [.end] }
        let exchange = bench.run(bench.request("DELETE", "/x", isIdempotent: false))
        #expect(exchange.failure?.kind == .reset)
        #expect(bench.upstream.seen.count == 2)
    }

    /// Whoever made the request signs it anew, counts it, and asks the budget: nothing is repeated down here.
    @Test(arguments: TransportKind.allCases, [nil, 10, 100_000])
    func `not even an idempotent request is sent twice when its pooled connection dies`(
        kind: TransportKind, count: Int?
    ) throws {
        let bench = try Bench(kind)
        bench.get("/warm")
        bench.upstream.script = { $0.connection == 1 ? [.end] : [.send(ScriptedUpstream.ok("again"))] }
        let body = count.map { UpstreamRequest.Body.bytes([UInt8](repeating: 7, count: $0)) } ?? .none
        let exchange = bench.run(bench.request("PUT", "/x", body: body))
        #expect(exchange.failure?.kind == .reset)
        #expect(exchange.failure?.connectionReused == true)
        #expect(bench.upstream.seen.map(\.connection) == [1, 1])
    }

    @Test(arguments: TransportKind.allCases)
    func `a request that wants a fresh connection gets one`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        bench.get("/warm")
        var request = bench.request()
        request.wantsFreshConnection = true
        #expect(bench.run(request).isCompleted)
        #expect(bench.upstream.seen.last?.connection == 2)
        #expect(bench.get().isCompleted)
        #expect(bench.upstream.accepted == 2)
    }

    @Test(arguments: TransportKind.allCases)
    func `on a fresh connection even a GET is sent once`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        bench.upstream.script = { _ in [.end] }
        let exchange = bench.get("/x")
        #expect(exchange.failure?.kind == .reset)
        #expect(exchange.failure?.connectionReused == false)
        #expect(bench.upstream.seen.count == 1)
    }

    @Test(arguments: TransportKind.allCases)
    func `a stream that gave bytes is not sent again`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        bench.get("/warm")
        bench.upstream.script = { _ in [.end] }
        let exchange = Exchange()
        exchange.supply = { buffer, _ in
            buffer.append(1)
            return .end
        }
        bench.run(bench.request("PUT", "/x", body: .stream(count: nil)), exchange)
        #expect(exchange.failure?.kind == .reset)
        #expect(exchange.failure?.connectionReused == true)
        #expect(bench.upstream.seen.count == 2)
    }

    // MARK: Pooled connections

    @Test(arguments: TransportKind.allCases, ["GET", "POST"])
    func `bytes on an idle connection never become an answer`(kind: TransportKind, method: String) throws {
        let bench = try Bench(kind)
        let evil = ScriptedUpstream.ok("EVIL")
        for round in 0..<20 {
            #expect(bench.get("/\(round)").body.text == "ok")
            bench.upstream.sendUnasked(evil)
            // Odd rounds: the event is seen while idle. Even rounds: the request starts in the same breath.
            if round % 2 == 1 { bench.pass(milliseconds: 2) }
            #expect(bench.run(bench.request(method, "/after\(round)")).body.text == "ok")
            bench.upstream.closeAll()
        }
        #expect(bench.upstream.seen.count == 40)
        #expect(bench.transport.gauges.staleConnections > 0)
        #expect(bench.transport.gauges.unsolicited > 0)
    }

    @Test(arguments: TransportKind.allCases, [true, false])
    func `a connection that the upstream closed while idle is not used, not even for a POST`(
        kind: TransportKind, isSeen: Bool
    ) throws {
        let bench = try Bench(kind)
        for _ in 0..<10 {
            bench.get()
            bench.upstream.closeAll()
            if isSeen { bench.pass(milliseconds: 2) }
            let exchange = bench.run(bench.request("POST", "/x", body: .bytes([1])))
            #expect(exchange.isCompleted)
            bench.upstream.closeAll()
        }
        #expect(bench.upstream.seen.count == 20)
    }

    @Test(arguments: TransportKind.allCases)
    func `an announced idle limit keeps POSTs off resting connections, and GETs on them`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        bench.upstream.script = { _ in [.send(ScriptedUpstream.ok("ok", "Keep-Alive: timeout=0\r\n"))] }
        bench.get()
        bench.pass(milliseconds: 1)
        #expect(bench.get().isCompleted)
        #expect(bench.upstream.accepted == 1)
        bench.pass(milliseconds: 1)
        #expect(bench.run(bench.request("POST", "/")).isCompleted)
        #expect(bench.upstream.accepted == 2)
    }

    @Test(arguments: TransportKind.allCases)
    func `the same guards hold on a unix socket`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        let path = "/tmp/curl-upstream-\(UInt64.random(in: 0 ... .max))"
        let upstream = try ScriptedUpstream(bench.loop, .unix(path: path))
        bench.plan.unixSocket = path
        bench.plan.host = "name.example"
        bench.plan.port = 80
        for round in 0..<6 {
            #expect(bench.get("/\(round)").body.text == "ok")
            upstream.sendUnasked(ScriptedUpstream.ok("EVIL"))
            if round % 2 == 1 { bench.pass(milliseconds: 2) }
            #expect(bench.run(bench.request("POST", "/after")).body.text == "ok")
        }
        #expect(upstream.seen.count == 12)
        #expect(upstream.seen.first?.field("host") == "name.example")
        #expect(upstream.accepted == 7)
    }

    @Test(arguments: TransportKind.allCases)
    func `another plan on the same way keeps the connections and changes the times`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        bench.get()
        bench.plan.timeouts.firstByte = 30_000_000
        bench.transport.planChanged(bench.plan)
        bench.upstream.script = { _ in [.wait(milliseconds: 60_000)] }
        #expect(bench.get().failure?.kind == .firstByteTimeout)
        #expect(bench.upstream.accepted == 1)
        bench.upstream.script = { _ in [.send(ScriptedUpstream.ok("ok"))] }
        bench.get()
        #expect(bench.upstream.accepted == 2)
        // Too old from now on, after two milliseconds.
        bench.plan.idleAge = 1_000_000
        bench.transport.planChanged(bench.plan)
        bench.pass(milliseconds: kind == .curl ? 2100 : 3)
        #expect(bench.get().isCompleted)
        #expect(bench.upstream.accepted == 3)
    }

    @Test(arguments: TransportKind.allCases)
    func `retire closes idle connections and lets work go on`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        bench.get()
        bench.transport.retire()
        bench.wait("the end of the idle connection") { bench.upstream.connections[0].isEnded }
        bench.upstream.script = { _ in [.wait(milliseconds: 10), .send(ScriptedUpstream.ok("ok"))] }
        let late = bench.start(bench.request())
        bench.pass(milliseconds: 2)
        bench.transport.retire()
        bench.wait(for: [late])
        #expect(late.isCompleted)
        bench.wait("the end of the second connection") { bench.upstream.connections[1].isEnded }
        #expect(bench.get().isCompleted)
    }

    @Test(arguments: TransportKind.allCases)
    func `an idle pool is dropped after the idle age`(kind: TransportKind) throws {
        let bench = try Bench(kind) { $0.idleAge = 30_000_000 }
        bench.get()
        bench.wait("the end of the idle connection", seconds: 2) { bench.upstream.connections[0].isEnded }
        #expect(bench.get().isCompleted)
        #expect(bench.upstream.accepted == 2)
    }

    // MARK: Cancelling

    @Test(arguments: TransportKind.allCases)
    func `a transfer can be cancelled at every moment, without a word to the delegate`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        bench.upstream.script = { _ in
            [
                .send([UInt8]("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")), .wait(milliseconds: 5),
                .send([UInt8]("half")),
            ]
        }
        let inHead = Exchange()
        inHead.onHead = { $0.transfer?.cancel() }
        let inPiece = Exchange()
        inPiece.onPiece = {
            $0.transfer?.cancel()
            return .pause
        }
        let other = Exchange()
        let killer = Exchange()
        killer.onPiece = { _ in
            other.transfer?.cancel()
            return .proceed
        }
        for exchange in [inHead, inPiece, other, killer] { _ = bench.start(bench.request(), exchange) }
        let queued = bench.start(bench.request())
        let fresh = bench.start(bench.request())
        fresh.transfer?.cancel()
        queued.transfer?.cancel()
        bench.wait(for: [killer])
        let early = bench.start(bench.request())
        bench.loop.runOnce()
        early.transfer?.cancel()
        bench.pass(milliseconds: 20)
        #expect(killer.isCompleted)
        #expect(inHead.events == 1)
        #expect(inPiece.events == 2)
        for exchange in [inHead, inPiece, other, queued, fresh, early] {
            #expect(!exchange.isOver)
            exchange.transfer?.cancel()
        }
        #expect(bench.transport.gauges.inFlight == 0)
        #expect(bench.get().isCompleted)
    }

    @Test(arguments: TransportKind.allCases)
    func `a delegate may start the next transfer from any callback`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        var followers: [Exchange] = []
        let exchange = Exchange()
        exchange.onHead = { _ in followers.append(bench.start(bench.request())) }
        exchange.onPiece = { _ in
            followers.append(bench.start(bench.request()))
            return .proceed
        }
        exchange.onEnd = { _ in followers.append(bench.start(bench.request())) }
        bench.run(bench.request(), exchange)
        #expect(followers.count == 3)
        bench.wait(for: followers)
        let isDone = followers.allSatisfy { $0.isCompleted }
        #expect(isDone)
    }

    @Test(arguments: TransportKind.allCases)
    func `transport and delegate live until the end and no longer`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        weak var exchange: Exchange?
        weak var transport: (any UpstreamTransport)?
        do {
            let own = kind.make(bench.loop, bench.plan)
            let delegate = Exchange()
            delegate.transfer = own.start(bench.request(), delegate: delegate)
            (exchange, transport) = (delegate, own)
        }
        #expect(exchange != nil)
        bench.wait("the answer") { exchange?.isOver ?? true }
        exchange?.transfer = nil
        bench.wait("the end of the delegate", seconds: 1) { exchange == nil && transport == nil }
        bench.wait("the end of the connection", seconds: 1) { bench.upstream.connections[0].isEnded }
    }
}
