import Bytes
import CurlUpstream
import Domain
import LoopKit
import Testing

extension UpstreamTests {
    @Test func `HTTP 2 without TLS works, with a connection per request`() throws {
        let bench = try Bench { plan in
            plan.version = .http2
            plan.timeouts.connect = 60_000_000_000
        }
        let server = try FrameServer(bench.loop)
        bench.plan.port = server.port
        let start = bench.loop.now
        let first = bench.get("/first")
        #expect(first.isCompleted, "\(String(describing: first.failure))")
        #expect(first.body.text == "ok")
        #expect(first.head?.status == 200)
        let together = (0..<10).map { bench.start(bench.request("GET", "/\($0)")) }
        bench.wait(for: together)
        let posts = [5, 100_000].map { count in
            bench.start(bench.request("POST", "/", body: .bytes([UInt8](repeating: 1, count: count))))
        }
        bench.pass(milliseconds: 20)
        let areDone = (together + [posts[0]]).allSatisfy { $0.isCompleted }
        #expect(areDone, "\((together + posts).map { $0.failure.map { "\($0)" } ?? "-" })")
        // libcurl 7.88 cannot use such a connection twice.
        #expect(server.accepted == 13)
        #expect(server.streams.count == 13)
        // Readiness, not a timer, must have driven it.
        #expect(bench.loop.now - start < 5_000_000_000)
        for post in posts { post.transfer?.cancel() }
    }
}
