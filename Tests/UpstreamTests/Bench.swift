import Bytes
import CurlUpstream
import Domain
import LoopKit
import PlainUpstream
import Testing

/// Whose guards are tested: both transports owe the same.
enum TransportKind: CaseIterable, CustomTestStringConvertible {
    case curl, plain

    func make(_ loop: EventLoop, _ plan: UpstreamPlan) -> any UpstreamTransport {
        if self == .plain {
            if let plain = PlainTransport(loop: loop, plan: plan) { return plain }
            Issue.record("the plain transport does not serve this plan")
        }
        return CurlTransport(loop: loop, plan: plan)
    }
    var testDescription: String { "\(self)" }
}

/// A loop, a scripted upstream and a transport to it.
final class Bench {
    let loop: EventLoop
    let upstream: ScriptedUpstream
    var plan: UpstreamPlan
    let kind: TransportKind
    /// Made at its first use: a test changes the plan first.
    lazy var transport = kind.make(loop, plan)

    init(_ kind: TransportKind = .curl, _ configure: (inout UpstreamPlan) -> Void = { _ in }) throws {
        self.kind = kind
        loop = try EventLoop()
        upstream = try ScriptedUpstream(loop)
        plan = UpstreamPlan(name: "test", scheme: .http, host: "127.0.0.1", port: upstream.port)
        configure(&plan)
    }

    func request(
        _ method: String = "GET", _ target: String = "/", _ fields: [(String, String)] = [],
        body: UpstreamRequest.Body = .none, isIdempotent: Bool? = nil
    ) -> UpstreamRequest {
        var block = PairBlock()
        for (name, value) in fields { block.append(name: [UInt8](name).span, value: [UInt8](value).span) }
        return UpstreamRequest(
            method: [UInt8](method), target: [UInt8](target), fields: block, body: body,
            isIdempotent: isIdempotent ?? ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(method))
    }

    func start(_ request: UpstreamRequest, _ exchange: Exchange = Exchange()) -> Exchange {
        exchange.transfer = transport.start(request, delegate: exchange)
        return exchange
    }

    /// Starts and waits for the end.
    @discardableResult
    func run(_ request: UpstreamRequest, _ exchange: Exchange = Exchange()) -> Exchange {
        wait(for: [start(request, exchange)])
        return exchange
    }

    @discardableResult
    func get(_ target: String = "/") -> Exchange { run(request("GET", target)) }

    func wait(for exchanges: [Exchange], sourceLocation: SourceLocation = #_sourceLocation) {
        wait("all exchanges", sourceLocation: sourceLocation) { exchanges.allSatisfy(\.isOver) }
    }

    func wait(
        _ what: String, seconds: UInt64 = 10, sourceLocation: SourceLocation = #_sourceLocation,
        until isTrue: () -> Bool
    ) {
        var isLate = false
        let timer = loop.timer { isLate = true }
        timer.arm(after: seconds * 1_000_000_000)
        while !isTrue(), !isLate { loop.runOnce() }
        if isLate { Issue.record("waited in vain for \(what)", sourceLocation: sourceLocation) }
    }

    /// Lets the loop turn for a while, for what must *not* happen.
    func pass(milliseconds: UInt64) {
        var isOver = false
        let timer = loop.timer { isOver = true }
        timer.arm(after: milliseconds * 1_000_000)
        while !isOver { loop.runOnce() }
    }
}
