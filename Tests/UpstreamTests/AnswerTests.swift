import Bytes
import CurlUpstream
import Domain
import LoopKit
import Testing

extension UpstreamTests {
    @Test(arguments: TransportKind.allCases, AnswerCase.all)
    func `answers are passed or refused as the corpus demands`(kind: TransportKind, answer: AnswerCase) throws {
        let bench = try Bench(kind) { $0.timeouts.firstByte = 2_000_000_000 }
        bench.upstream.script = { seen in
            guard seen.target.text == "/case" else { return [.send(ScriptedUpstream.ok("again"))] }
            var steps: [ScriptedUpstream.Step] = []
            for part in answer.parts {
                let bytes = [UInt8](part.text)
                steps.append(.send([UInt8]((0..<part.times).flatMap { _ in bytes })))
            }
            switch answer.ending {
            case .open: break
            case .fin: steps.append(.end)
            case .rst: steps += [.wait(milliseconds: 10), .reset]
            }
            return steps
        }
        let body: UpstreamRequest.Body = answer.method == "POST" ? .bytes([UInt8]("a=1")) : .none
        let exchange = bench.run(bench.request(answer.method, "/case", body: body))
        judge(answer, exchange)
        #expect(bench.upstream.seen.count == 1)
        // Whatever it was: the next request gets its own answer.
        #expect(bench.get("/again").body.text == "again")
        let last = try #require(bench.upstream.seen.last)
        if let reusable = answer.reusable { #expect((last.connection == 1) == reusable) }
    }

    private func judge(_ answer: AnswerCase, _ exchange: Exchange) {
        switch answer.outcome {
        case .passes(let status):
            #expect(exchange.isCompleted, "\(String(describing: exchange.failure))")
            #expect(exchange.head?.status == status)
            if let body = answer.body { #expect(exchange.body.text == body) }
        case .fails:
            #expect(exchange.failure?.kind == .malformedAnswer, "\(String(describing: exchange.failure))")
            #expect(exchange.head == nil)
        case .breaks: #expect(exchange.failure != nil)
        case .either:
            #expect(exchange.isOver)
            if exchange.isCompleted, let body = answer.body { #expect(exchange.body.text == body) }
        }
        for index in 0..<(exchange.head?.fields.count ?? 0) {
            let name = exchange.head?.fields.name(at: index).text.lowercased() ?? ""
            #expect(name != "set-cookie" && name != "link")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `too many fields or interim answers are refused`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        bench.upstream.script = { seen in
            let fields = (0..<201).map { "X-\($0): y\r\n" }.joined()
            let interim = (0..<17).map { _ in "HTTP/1.1 102 Processing\r\n\r\n" }.joined()
            return [
                .send(seen.target.text == "/fields" ? ScriptedUpstream.ok("x", fields) : [UInt8](interim)),
                .send(ScriptedUpstream.ok("x")),
            ]
        }
        #expect(bench.get("/fields").failure?.kind == .malformedAnswer)
        #expect(bench.get("/interim").failure?.kind == .malformedAnswer)
    }

    @Test(arguments: TransportKind.allCases)
    func `an answer to an upgrade nobody asked for is refused`(kind: TransportKind) throws {
        let bench = try Bench(kind)
        bench.upstream.script = { _ in
            [.send([UInt8]("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nbytes"))]
        }
        let exchange = bench.get()
        #expect(exchange.failure?.kind == .malformedAnswer)
        #expect(exchange.head == nil)
    }

    @Test(arguments: TransportKind.allCases)
    func `a trailer is not taken for a field, and bytes after the last chunk end the connection`(kind: TransportKind)
        throws
    {
        let bench = try Bench(kind)
        bench.upstream.script = { _ in
            [
                .send(
                    [UInt8](
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nSet-Cookie: a=b\r\n\r\nHTTP/1.1 200 EVIL\r\n\r\n"
                    ))
            ]
        }
        for _ in 0..<3 {
            let exchange = bench.get()
            #expect(exchange.isCompleted)
            #expect(exchange.head?.fields.count == 1)
            #expect(exchange.body.isEmpty)
        }
        #expect(bench.upstream.accepted == 3)
    }
}
