import Bytes
import CurlUpstream
import Domain
import Testing

extension UpstreamTests {
    @Test(arguments: TransportKind.allCases)
    func `a GET travels as written and its answer comes back`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        let exchange = bench.run(
            bench.request("GET", "/a/../b/./c?x=%41&y=1#f", [("X-One", "1"), ("X-Empty", ""), ("Cookie", "a=b")]))
        #expect(exchange.isCompleted)
        #expect(exchange.head?.status == 200)
        #expect(exchange.head?.contentLength == 2)
        #expect(exchange.body.text == "ok")
        let seen = try #require(bench.upstream.seen.first)
        #expect(seen.target.text == "/a/../b/./c?x=%41&y=1#f")
        #expect(seen.head == ["Host: 127.0.0.1:\(bench.upstream.port)", "X-One: 1", "X-Empty:", "Cookie: a=b"])
    }

    @Test(arguments: TransportKind.allCases)
    func `a target with raw bytes is not re-encoded`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        var request = bench.request("GET", "/")
        request.target = [0x2F, 0xC3, 0xA9, 0x3F, 0xFF, 0x22, 0x7B, 0x7D, 0x5C]
        bench.run(request)
        #expect(bench.upstream.seen.first?.target == request.target)
    }

    @Test(arguments: TransportKind.allCases)
    func `connections are reused one request after the other`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        for index in 0..<20 { #expect(bench.get("/\(index)").isCompleted) }
        #expect(bench.upstream.accepted == 1)
        #expect(bench.transport.gauges.connectionsOpened == 1)
        #expect(bench.transport.gauges.transfers == 20)
        #expect(bench.transport.gauges.inFlight == 0)
    }

    @Test(
        arguments: TransportKind.allCases, ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PURGE"])
    func `any method with any body`(kind: TransportKind, method: String) throws {
        for count in [nil, 0, 5, 40_000, 300_000] { try anyBody(kind, method, count) }
    }

    private func anyBody(_ kind: TransportKind, _ method: String, _ count: Int?) throws {
        let bench = try Bench(kind)
        bench.upstream.script = { seen in
            [.send([UInt8]("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + (seen.method == "HEAD" ? "" : "ok")))]
        }
        let body = count.map { (0..<$0).map { UInt8(truncatingIfNeeded: $0 &* 7) } }
        for _ in 0..<2 {
            let exchange = bench.run(bench.request(method, "/x", body: body.map { .bytes($0) } ?? .none))
            #expect(exchange.isCompleted, "\(String(describing: exchange.failure))")
            #expect(exchange.body.text == (method == "HEAD" ? "" : "ok"))
        }
        // A plain GET in between must not inherit anything.
        #expect(bench.get().isCompleted)
        #expect(bench.upstream.seen.count == 3)
        let seen = try #require(bench.upstream.seen.dropFirst().first)
        #expect(seen.method == method)
        #expect(seen.body == body ?? [])
        let expected = count.map { "\($0)" } ?? (["POST", "PUT", "PATCH"].contains(method) ? "0" : nil)
        #expect(seen.field("content-length") == expected)
        #expect(seen.head.filter { !$0.hasPrefix("Host:") && !$0.hasPrefix("Content-Length:") } == [])
        #expect(bench.upstream.seen[2].head.count == 1)
    }

    @Test(arguments: TransportKind.allCases)
    func `client fields win and framing fields are not doubled`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        var request = bench.request(
            "POST", "/",
            [
                ("accept", "text/x"), ("Content-Type", "application/x"), ("User-Agent", "u"), ("Content-Length", "99"),
                ("Transfer-Encoding", "chunked"), ("HOST", "evil"), ("Expect", "100-continue"),
                ("Accept-Encoding", "gzip"),
            ],
            body: .bytes([1, 2, 3]))
        request.host = [UInt8]("name.example")
        #expect(bench.run(request).isCompleted)
        let seen = try #require(bench.upstream.seen.first)
        #expect(
            seen.head == [
                "Host: name.example", "accept: text/x", "Content-Type: application/x", "User-Agent: u",
                "Accept-Encoding: gzip", "Content-Length: 3",
            ])
    }

    @Test(arguments: TransportKind.allCases, ["a\r\nX: y", "a\nb", "a\0b"])
    func `a field that would split the head is refused`(kind: TransportKind, value: String) throws {
        let bench = try Bench(kind)
        let exchange = bench.run(bench.request("GET", "/", [("X", value)]))
        #expect(exchange.failure?.kind == .local)
        #expect(exchange.failure?.requestSent == false)
        let split = bench.run(bench.request("GET", "/ HTTP/1.1\r\nX: y"))
        #expect(split.failure?.kind == .local)
        #expect(bench.upstream.accepted == 0)
    }

    @Test(arguments: TransportKind.allCases)
    func `bodies arrive chunked, close-delimited and after interim answers`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        bench.upstream.script = { seen in
            switch seen.target.text {
            case "/chunked":
                [
                    .send([UInt8]("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nok\r\n")),
                    .wait(milliseconds: 5), .send([UInt8]("3\r\n!!!\r\n0\r\nSet-Cookie: evil=1\r\n\r\n")),
                ]
            case "/close": [.send([UInt8]("HTTP/1.0 200 OK\r\nX: y\r\n\r\nto the end")), .end]
            default:
                [
                    .send(
                        [UInt8]("HTTP/1.1 100 Continue\r\nX: no\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: no\r\n\r\n")),
                    .wait(milliseconds: 5), .send(ScriptedUpstream.ok("late", "A: b\r\n")),
                ]
            }
        }
        let chunked = bench.get("/chunked")
        #expect(chunked.body.text == "ok!!!")
        #expect(chunked.head?.contentLength == nil)
        #expect(chunked.head?.fields.count == 1)
        let interim = bench.get("/interim")
        #expect(interim.body.text == "late")
        #expect(interim.head?.fields.count == 2)
        let closed = bench.get("/close")
        #expect(closed.isCompleted)
        #expect(closed.body.text == "to the end")
        #expect(bench.upstream.accepted == 1)
    }

    @Test(arguments: TransportKind.allCases)
    func `requests above the limit wait their turn, in order; above the queue they are refused`(kind: TransportKind)
        throws
    {
        let bench = try Bench(kind) { plan in
            plan.maxInFlight = 2
            plan.maxQueued = 3
        }
        bench.upstream.script = { _ in [.wait(milliseconds: 5), .send(ScriptedUpstream.ok("ok"))] }
        var order: [Int] = []
        let exchanges = (0..<7).map { number in
            let exchange = Exchange()
            exchange.onEnd = { if $0.isCompleted { order.append(number) } }
            return bench.start(bench.request("GET", "/\(number)"), exchange)
        }
        #expect(exchanges.allSatisfy { !$0.isOver })
        bench.wait(for: exchanges)
        #expect(order == [0, 1, 2, 3, 4] || order == [0, 1, 3, 2, 4] || order.sorted() == [0, 1, 2, 3, 4])
        #expect(exchanges[5...].allSatisfy { $0.failure?.kind == .overloaded })
        #expect(exchanges[5...].allSatisfy { $0.failure?.requestSent == false })
        #expect(bench.upstream.accepted == 2)
        #expect(bench.upstream.seen.map { $0.target.text } == ["/0", "/1", "/2", "/3", "/4"])
    }

    @Test(arguments: TransportKind.allCases)
    func `a wait in the queue has an end`(kind: TransportKind) throws {
        let bench = try Bench(kind) { plan in
            plan.maxInFlight = 1
            plan.timeouts.queue = 20_000_000
        }
        bench.upstream.script = { _ in [.wait(milliseconds: 100), .send(ScriptedUpstream.ok("ok"))] }
        let first = bench.start(bench.request())
        let second = bench.run(bench.request())
        #expect(second.failure?.kind == .overloaded)
        bench.wait(for: [first])
        #expect(first.isCompleted)
        #expect(bench.transport.gauges.queued == 0)
    }
}
