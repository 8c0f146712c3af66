import CurlUpstream
import Domain
import LoopKit
import PlainUpstream
import Testing

extension UpstreamTests {
    private func isServed(_ change: (inout UpstreamPlan) -> Void) throws -> Bool {
        var plan = UpstreamPlan(name: "test", scheme: .http, host: "127.0.0.1", port: 80)
        change(&plan)
        return PlainTransport(loop: try EventLoop(), plan: plan) != nil
    }

    /// Decision 009: TLS, HTTP/2, proxies and the name service are libcurl's.
    @Test func `what needs more than a socket is left to libcurl`() throws {
        #expect(try isServed { _ in })
        #expect(try isServed { $0.host = "[::1]" })
        #expect(try isServed { $0.host = "localhost" })
        #expect(try isServed { ($0.host, $0.unixSocket) = ("name.example", "/tmp/s") })
        #expect(try !isServed { $0.host = "upstream.localhost" })
        #expect(try !isServed { $0.host = "name.example" })
        #expect(try !isServed { $0.scheme = .https })
        #expect(try !isServed { $0.version = .http2 })
        #expect(try !isServed { $0.proxy = "http://127.0.0.1:3128" })
    }
}
