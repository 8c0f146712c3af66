import Bytes
import Cryptography
import CurlUpstream
import Domain
import Glibc
import LoopKit
import Testing

extension UpstreamTests {
    private func secureBench(
        _ server: TLSServer, _ configure: (inout UpstreamPlan) -> Void = { _ in }
    ) throws -> Bench {
        try Bench { plan in
            plan.scheme = .https
            plan.port = server.port
            plan.tls.authorityFile = server.path("server.pem")
            configure(&plan)
        }
    }

    @Test func `a trusted certificate is accepted, any other refused before a byte is sent`() throws {
        guard let server = try TLSServer() else { return }
        let good = try secureBench(server).get()
        #expect(good.isCompleted, "\(String(describing: good.failure))")
        #expect(good.head?.status == 200)
        for configure: (inout UpstreamPlan) -> Void in [
            { $0.tls.authorityFile = nil }, { $0.tls.authorityFile = server.path("client.pem") },
        ] {
            let failure = try #require(try secureBench(server, configure).get().failure)
            #expect(failure.kind == .tls)
            #expect(!failure.requestSent)
            #expect(failure.detail.contains("certificate"))
        }
        let careless = try secureBench(server) { plan in
            plan.tls.authorityFile = nil
            plan.tls.verify = false
        }
        #expect(careless.get().isCompleted)
    }

    @Test func `a certificate for another name is refused`() throws {
        guard let server = try TLSServer(name: "other.example") else { return }
        let failure = try #require(try secureBench(server) { $0.host = "localhost" }.get().failure)
        #expect(failure.kind == .tls)
    }

    @Test func `pins are checked beside the chain`() throws {
        guard let server = try TLSServer() else { return }
        let (right, wrong) = (try server.pin(of: "server.pem"), try server.pin(of: "client.pem"))
        #expect(try secureBench(server) { $0.tls.pins = [wrong, right] }.get().isCompleted)
        #expect(try secureBench(server) { $0.tls.pins = [wrong] }.get().failure?.kind == .tls)
        let unpinnedChain = try secureBench(server) { plan in
            plan.tls.pins = [right]
            plan.tls.authorityFile = server.path("client.pem")
        }
        #expect(unpinnedChain.get().failure?.kind == .tls)
    }

    @Test func `a client certificate is shown when the server asks`() throws {
        guard let server = try TLSServer(arguments: ["-Verify", "1", "-CAfile", "client.pem", "-verify_return_error"])
        else {
            return
        }
        let good = try secureBench(server) { plan in
            plan.tls.clientCertificate = server.path("client.pem")
            plan.tls.clientKey = server.path("client.key")
        }.get()
        #expect(good.isCompleted, "\(String(describing: good.failure))")
        let without = try secureBench(server).get()
        #expect(without.failure != nil)
        let missing = try secureBench(server) { $0.tls.clientCertificate = "/no/such/file" }.get()
        #expect(missing.failure?.kind == .tls)
        #expect(missing.failure?.requestSent == false)
    }

    @Test func `plain text on a TLS port is a TLS failure`() throws {
        let bench = try Bench()
        bench.upstream.greeting = [.send([UInt8]("HTTP/1.1 400 Bad Request\r\n\r\n")), .end]
        bench.plan.scheme = .https
        #expect(bench.get().failure?.kind == .tls)
    }

    // MARK: Proxy

    @Test func `a proxy gets the absolute form and its own credentials`() throws {
        let bench = try Bench()
        bench.plan.proxy = "http://127.0.0.1:\(bench.upstream.port)"
        bench.plan.proxyCredentials = Secret(copying: [UInt8]("user:pass").span)
        bench.plan.host = "upstream.example"
        bench.plan.port = 8080
        for _ in 0..<2 { #expect(bench.get("/a/../b?x").isCompleted) }
        let seen = try #require(bench.upstream.seen.last)
        #expect(seen.target.text == "http://upstream.example:8080/a/../b?x")
        #expect(seen.field("host") == "upstream.example:8080")
        #expect(seen.field("proxy-authorization") == "Basic dXNlcjpwYXNz")
        #expect(bench.upstream.accepted == 1)
    }

    @Test func `a proxy that refuses the tunnel or is not there is a proxy failure`() throws {
        let bench = try Bench()
        bench.upstream.script = { _ in
            [.send([UInt8]("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"))]
        }
        bench.plan.proxy = "http://127.0.0.1:\(bench.upstream.port)"
        bench.plan.scheme = .https
        bench.plan.host = "upstream.example"
        bench.plan.port = 443
        let refused = try #require(bench.get().failure)
        #expect(refused.kind == .proxy)
        #expect(!refused.requestSent)
        #expect(bench.upstream.seen.first?.method == "CONNECT")
        bench.upstream.stopListening()
        bench.upstream.closeAll()
        #expect(bench.get().failure?.kind == .proxy)
    }

    @Test func `the environment names no proxy`() async {
        // setenv is not safe beside other threads.
        await #expect(processExitsWith: .success) {
            unsafe setenv("http_proxy", "http://127.0.0.1:1", 1)
            unsafe setenv("all_proxy", "http://127.0.0.1:1", 1)
            attempt {
                let exchange = try Bench().get()
                #expect(exchange.isCompleted)
            }
        }
    }
}
