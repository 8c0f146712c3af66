import Bytes
import Cryptography
import JSONBytes
import LoopKit
import Testing

@testable import DemoUpstream

/// One client on the server's own loop.
private final class Client: ByteSocketDelegate {
    let socket: ByteSocket
    var received: [UInt8] = []
    var isEnded = false
    var unsent: [UInt8] = []

    init(_ loop: EventLoop, _ address: ListenAddress) throws {
        socket = ByteSocket(loop: loop, owning: try StreamConnector.connect(to: address))
        socket.delegate = self
        socket.watchReads(true)
    }

    func send(_ bytes: [UInt8]) {
        unsent += bytes
        socket.watchWrites(true)
    }

    func socketWritable() {
        if case .wrote(let count) = socket.write(unsent.span) { unsent.removeFirst(count) }
        if unsent.isEmpty { socket.watchWrites(false) }
    }

    func socketReadable() {
        switch socket.read(into: &received) {
        case .ended, .failed:
            isEnded = true
            socket.watchReads(false)
        case .read, .blocked: break
        }
    }
}

@Suite struct DemoServerTests {
    private struct Bench {
        let loop: EventLoop
        let server: DemoServer

        init() throws {
            loop = try EventLoop()
            server = try DemoServer(loop: loop)
        }

        func connect() throws -> Client { try Client(loop, server.boundAddresses[0]) }

        /// Turns the loop until the condition holds; gives up after 5 s.
        func wait(_ condition: () -> Bool) {
            let deadline = loop.timer {}
            deadline.arm(after: 5_000_000_000)
            var isMet = condition()
            while !isMet, deadline.isArmed {
                loop.runOnce()
                isMet = condition()
            }
            #expect(isMet)
        }

        /// Sends a request and returns the body of its answer, which must have a Content-Length.
        func exchange(_ client: Client, _ request: String, _ body: [UInt8] = []) -> (head: String, body: [UInt8]) {
            client.send(bytes(request.replacing("\n", with: "\r\n")) + body)
            var answer: (String, [UInt8])?
            wait {
                answer = Self.split(&client.received)
                return answer != nil
            }
            return answer ?? ("", [])
        }

        func post(_ client: Client, _ target: String, _ body: [UInt8] = []) -> (head: String, body: [UInt8]) {
            exchange(
                client,
                "POST \(target) HTTP/1.1\nHost: demo\nContent-Type: application/x-www-form-urlencoded\n"
                    + "Content-Length: \(body.count)\n\n", body)
        }

        static func split(_ received: inout [UInt8]) -> (String, [UInt8])? {
            guard let end = received.firstRange(of: bytes("\r\n\r\n")) else { return nil }
            let head = text(Array(received[..<end.lowerBound]))
            guard let mark = head.firstRange(of: "Content-Length: ") else { return nil }
            let count = Int(head[mark.upperBound...].prefix { $0.isNumber }) ?? 0
            let start = end.upperBound
            guard received.count >= start + count else { return nil }
            let body = Array(received[start..<start + count])
            received.removeFirst(start + count)
            return (head, body)
        }
    }

    @Test func keepsTheConnection() throws {
        let bench = try Bench()
        let client = try bench.connect()
        for _ in 0..<3 {
            let answer = bench.exchange(client, "GET /ping HTTP/1.1\nHost: demo\n\n")
            #expect(answer.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(text(answer.body) == "pong\n")
        }
        // Two at once are answered in order.
        client.send(bytes("GET /ping HTTP/1.1\r\nHost: a\r\n\r\nGET /_demo/counters HTTP/1.1\r\nHost: a\r\n\r\n"))
        bench.wait { text(client.received).hasSuffix("\"connections\":1}") }
        #expect(text(client.received).contains("pong"))
        client.received = []
        let last = bench.exchange(client, "GET /ping HTTP/1.1\nHost: demo\nConnection: close\n\n")
        #expect(last.head.contains("Connection: close"))
        bench.wait { client.isEnded }
    }

    @Test func shopOverHTTP() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let answer = bench.post(client, "/index.php?m=Api&c=User&a=userInfo", bytes("a=1"))
        #expect(answer.head.contains("Content-Type: text/html;charset=utf-8"))
        #expect(try JSONDocument(parsing: answer.body).root.member("status")?.int64 == -1)
        let chunked = bench.exchange(
            client,
            "POST /index.php/Api/Goods/goodsList HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n3\na=1\n0\n\n")
        #expect(try JSONDocument(parsing: chunked.body).root.member("status")?.int64 == 1)
        #expect(bench.exchange(client, "GET /nowhere HTTP/1.1\nHost: a\n\n").head.hasPrefix("HTTP/1.1 404"))
    }

    @Test func badRequestsCloseTheConnection() throws {
        let bench = try Bench()
        for request in ["GET /\n\n", "POST /ping HTTP/1.1\nHost: a\nContent-Length: 1,1\n\n"] {
            let client = try bench.connect()
            #expect(bench.exchange(client, request).head.hasPrefix("HTTP/1.1 400"))
            bench.wait { client.isEnded }
        }
        let client = try bench.connect()
        let big = bench.exchange(client, "POST /ping HTTP/1.1\nHost: a\nContent-Length: 2000000\n\n")
        #expect(big.head.hasPrefix("HTTP/1.1 413"))
    }

    @Test(arguments: [0, 1, 251, 1_000_003])
    func download(count: Int) throws {
        let bench = try Bench()
        let client = try bench.connect()
        let expected = (0..<count).map { UInt8($0 % 251) }
        let answer = bench.exchange(client, "GET /_demo/bytes?count=\(count) HTTP/1.1\nHost: a\n\n")
        #expect(answer.body == expected)
        // HTTP/1.0 knows no chunks: the end of the connection ends the body.
        client.send(bytes("GET /_demo/bytes?count=\(count)&chunked=1 HTTP/1.0\r\n\r\n"))
        bench.wait { client.isEnded }
        let head = client.received.firstRange(of: bytes("\r\n\r\n"))?.upperBound ?? 0
        #expect(Array(client.received[head...]) == expected)
    }

    @Test func chunkedDownload() throws {
        let bench = try Bench()
        let client = try bench.connect()
        client.send(bytes("GET /_demo/bytes?count=40000&chunked=1 HTTP/1.1\r\nHost: a\r\n\r\n"))
        bench.wait { client.received.suffix(5).elementsEqual(bytes("0\r\n\r\n")) }
        #expect(text(client.received).contains("Transfer-Encoding: chunked"))
        let sizes = text(client.received).components(of: "\r\n").compactMap { Int($0, radix: 16) }
        #expect(sizes.filter { $0 > 1000 }.reduce(0, +) == 40000)
    }

    @Test func sinkCountsWithoutKeeping() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let body = [UInt8](repeating: 0x61, count: 3_000_000)
        let digest = Digest.hash(.sha256, body.span)
        let answer = bench.post(client, "/_demo/sink", body)
        let json = try JSONDocument(parsing: answer.body).root
        #expect(json.member("bytes")?.uint64 == 3_000_000)
        #expect(json.member("sha256")?.string == Hex.encode(digest.span))
    }

    @Test func expectContinue() throws {
        let bench = try Bench()
        let client = try bench.connect()
        client.send(bytes("POST /_demo/sink HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"))
        bench.wait { text(client.received) == "HTTP/1.1 100 Continue\r\n\r\n" }
        client.received = []
        #expect(text(bench.exchange(client, "", bytes("ab")).body).contains("\"bytes\":2"))
    }

    @Test func failsAndDrops() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.post(client, "/_demo/fail?status=503&count=2")
        for status in [503, 503, 200] {
            let answer = bench.post(client, "/index.php/Api/Goods/goodsList")
            #expect(answer.head.hasPrefix("HTTP/1.1 \(status)"))
        }
        _ = bench.post(client, "/_demo/drop?run=1")
        client.send(bytes("GET /index.php/Api/Goods/goodsList HTTP/1.1\r\nHost: a\r\n\r\n"))
        bench.wait { client.isEnded }
        #expect(client.received.isEmpty)
        let other = try bench.connect()
        let counters = try JSONDocument(
            parsing: bench.exchange(other, "GET /_demo/counters HTTP/1.1\nHost: a\n\n").body)
        #expect(counters.root.member("faults")?.int64 == 3)
        #expect(counters.root.member("requests")?.int64 == 2)
    }

    @Test func slowAnswersWaitOnATimer() throws {
        let bench = try Bench()
        let (slow, control) = (try bench.connect(), try bench.connect())
        _ = bench.post(control, "/_demo/slow?ms=60")
        let start = bench.loop.now
        slow.send(bytes("GET /index.php/Api/Goods/goodsList HTTP/1.1\r\nHost: a\r\n\r\n"))
        // Others are not held up.
        _ = bench.exchange(control, "GET /ping HTTP/1.1\nHost: a\n\n")
        #expect(slow.received.isEmpty)
        bench.wait { !slow.received.isEmpty }
        #expect(bench.loop.now - start >= 55_000_000)
    }

    @Test func downAndUpAgain() throws {
        let bench = try Bench()
        let (control, other) = (try bench.connect(), try bench.connect())
        _ = bench.exchange(other, "GET /ping HTTP/1.1\nHost: a\n\n")
        let port = bench.server.boundPort
        #expect(text(bench.post(control, "/_demo/down?for=80").body) == #"{"ok":true}"#)
        bench.wait { other.isEnded && control.isEnded }
        let refused = try bench.connect()
        bench.wait { refused.isEnded }
        #expect(refused.received.isEmpty)
        // Comes back on the same port.
        var answered = false
        bench.wait {
            guard let client = try? bench.connect() else { return false }
            client.send(bytes("GET /ping HTTP/1.1\r\nHost: a\r\n\r\n"))
            while !client.isEnded, client.received.isEmpty { bench.loop.runOnce() }
            answered = text(client.received).contains("pong")
            return answered
        }
        #expect(answered)
        #expect(bench.server.boundPort == port)
    }

    @Test func clockOffsetShowsEverywhere() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.post(client, "/_demo/clock?offset=86400")
        let answer = bench.exchange(client, "GET /index.php/Api/Base/getServerTime HTTP/1.1\nHost: a\n\n")
        let time = try #require(try JSONDocument(parsing: answer.body).root.member("result")?.int64)
        #expect(abs(time - bench.loop.wall.seconds - 86400) < 5)
    }

    @Test func echo() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let answer = bench.post(client, "/_demo/echo?x=1", bytes("a=1"))
        let json = try JSONDocument(parsing: answer.body).root
        #expect(json.member("target")?.string == bytes("/_demo/echo?x=1"))
        #expect(json.member("body")?.string == bytes("a=1"))
        #expect(json.member("fields")?.count == 3)
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] { split(separator: separator) }
}
