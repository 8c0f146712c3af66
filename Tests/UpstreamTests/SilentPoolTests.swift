import Bytes
import CurlUpstream
import Domain
import LoopKit
import Testing

/// Pooled connections that died without a word: the first that is used speaks for those beside it.
extension UpstreamTests {
    /// Five idle connections, which will do `then` with the next request; further ones answer.
    private func pool(
        _ kind: TransportKind, then end: [ScriptedUpstream.Step], _ configure: (inout UpstreamPlan) -> Void = { _ in }
    ) throws -> Bench {
        let bench = try Bench(kind, configure)
        bench.upstream.script = { _ in [.wait(milliseconds: 20), .send(ScriptedUpstream.ok("warm"))] }
        bench.wait(for: (0..<5).map { bench.start(bench.request("GET", "/warm\($0)")) })
        #expect(bench.upstream.accepted == 5)
        bench.upstream.script = { $0.connection <= 5 ? end : [.send(ScriptedUpstream.ok("fresh"))] }
        return bench
    }

    @Test(arguments: TransportKind.allCases, ["fin", "rst"])
    func `one dead connection costs one POST, not one per idle connection`(kind: TransportKind, end: String) throws {
        let bench = try pool(kind, then: [end == "fin" ? .end : .reset])
        let first = bench.run(bench.request("POST", "/first", body: .bytes([1])))
        #expect(first.failure?.kind == .reset)
        #expect(first.failure?.connectionReused == true)
        for _ in 0..<5 { #expect(bench.run(bench.request("POST", "/x", body: .bytes([1]))).body.text == "fresh") }
        #expect(bench.upstream.accepted == 6)
        // libcurl took one of the four by itself, to send the request again, and was stopped.
        #expect(bench.transport.gauges.staleConnections >= 3)
    }

    @Test(arguments: TransportKind.allCases)
    func `a pooled connection that swallows requests costs one deadline`(kind: TransportKind) throws {
        let bench = try pool(kind, then: []) { $0.timeouts.firstByte = 100_000_000 }
        #expect(bench.get("/first").failure?.kind == .firstByteTimeout)
        for _ in 0..<5 { #expect(bench.get().body.text == "fresh") }
        #expect(bench.upstream.accepted == 6)
    }

    @Test(arguments: TransportKind.allCases)
    func `nor does it cost the patience of each client`(kind: TransportKind) throws {
        let bench = try pool(kind, then: [])
        let impatient = bench.start(bench.request("GET", "/first"))
        bench.pass(milliseconds: 1_010)
        impatient.transfer?.cancel()
        #expect(bench.get().body.text == "fresh")
    }

    @Test(arguments: TransportKind.allCases)
    func `a client that leaves at once drops no connection`(kind: TransportKind) throws {
        let bench = try pool(kind, then: [])
        let hasty = bench.start(bench.request("GET", "/first"))
        bench.wait("the request") { bench.upstream.seen.last?.target.text == "/first" }
        hasty.transfer?.cancel()
        bench.upstream.script = { _ in [.send(ScriptedUpstream.ok("ok"))] }
        #expect(bench.get().isCompleted)
        #expect(bench.upstream.accepted == 5)
    }

    @Test(arguments: TransportKind.allCases)
    func `connections that answered since are alive`(kind: TransportKind) throws {
        let bench = try pool(kind, then: []) { $0.timeouts.firstByte = 150_000_000 }
        bench.upstream.script = {
            $0.target.text == "/silent" ? [] : [.wait(milliseconds: 20), .send(ScriptedUpstream.ok("ok"))]
        }
        let silent = bench.start(bench.request("GET", "/silent"))
        bench.wait("the request") { bench.upstream.seen.last?.target.text == "/silent" }
        bench.wait(for: (0..<4).map { bench.start(bench.request("GET", "/\($0)")) })
        bench.wait(for: [silent])
        #expect(silent.failure?.kind == .firstByteTimeout)
        bench.wait(for: (0..<4).map { bench.start(bench.request("GET", "/again\($0)")) })
        #expect(bench.upstream.accepted == 5)
    }

    @Test(arguments: TransportKind.allCases)
    func `a failure tells how long its connection had rested`(kind: TransportKind) throws {
        let bench = try pool(kind, then: [.end])
        bench.pass(milliseconds: 30)
        let failure = try #require(bench.get().failure)
        #expect(30_000_000..<5_000_000_000 ~= failure.connectionRested)
        bench.upstream.script = { _ in [.end] }
        #expect(bench.get().failure?.connectionRested == 0)
    }
}
