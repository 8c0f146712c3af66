import Bytes
import Configuration
import DemoUpstream
import Domain
import LoopKit
import Testing

@testable import Gateway

/// The demo shop, the gateway in front of it and its clients, all on one loop: real sockets, no process, no thread, so that
/// sanitizers see everything.
final class Bench {
    let loop: EventLoop
    let shop: DemoServer
    let worker: Worker
    private(set) var plan: GatewayPlan
    var nextPlan: ReloadOutcome = .refused([])

    init(_ change: (String) -> String = { $0 }) throws {
        HostProcess.setSignals()
        HostProcess.setDescriptorLimit(8192)
        loop = try EventLoop()
        shop = try DemoServer(loop: loop, options: DemoOptions())
        plan = try Self.plan(change(Self.config(port: shop.boundPort)))
        var options = WorkerOptions()
        var reload: () -> ReloadOutcome = { .refused([]) }
        options.reload = { reload() }
        worker = try Worker(loop: loop, plan: plan, options: options)
        reload = { [unowned self] in nextPlan }
    }

    static func config(port: UInt16) -> String {
        """
        listen: [127.0.0.1:0]
        admin: 127.0.0.1:0
        log: {level: error, access: off}
        limits: {connections: 4000, in_flight: 4000, drain: 2s}
        secrets:
          username: {env: USER_NAME}
          password: {env: PASSWORD}
          key: {env: KEY}
        upstreams:
          shop:
            url: "http://127.0.0.1:\(port)"
            breaker: {after: 3, wait: 20ms, wait_max: 40ms}
            limits: {in_flight: 64, queued: 4000, queue_time: 60s}
            # A storm in a debug build on a busy machine: what is asked is how it ends, not how fast.
            timeouts: {first_byte: 60s}
        sessions:
          shop:
            upstream: shop
            login:
              - request:
                  method: POST
                  path: /index.php?m=Api&c=User&a=login
                  form: {username: "${secret.username}", password: "${hex.encode(hash.md5('TPSHOP' + secret.password))}"}
                sign: tpshop
                success: int(json.status) > 0
                refused: int(json.status) in [-1, -2, -3]
                capture: {token: json.result.token, user_id: json.result.user_id}
            expired: int(json.status) in [-100, -101, -102]
            attach: {form: {token: "${session.token}", user_id: "${session.user_id}"}}
            wait: {requests: 4000, time: 60s}
        signatures:
          tpshop:
            variables:
              time: string(int(now))
              sign: >-
                hex.encode(hash.md5(php.sort(request.form).filter(f, !(f.name in ["time", "sign"])).map(f, f.value).join("")
                + vars.time + secret.key))
            attach: {form: {time: "${vars.time}", sign: "${vars.sign}"}}
        envelopes:
          tpshop:
            unwrap: [bom, skip_to_json]
            ok: int(json.status) > 0
            code: json.status
            message: json.msg
            data: json.?result.or(json.?data)
        routes:
          - path: /api/**
            upstream: shop
            rewrite: /index.php?m=Api&c=${request.segments[1]}&a=${request.segments[2]}
            session: shop
            sign: tpshop
            envelope: {from: tpshop, to: standard}
          - path: /**
            upstream: shop
        """
    }

    static func plan(_ text: String) throws -> GatewayPlan {
        let environment = ["USER_NAME": "13800138006", "PASSWORD": "demo-password", "KEY": "tpshop2"]
        switch ConfigLoader(environment: environment).load(text: text, file: "bench.yaml") {
        case .plan(let plan, _): return plan
        case .issues(let issues):
            Issue.record("\(issues.map(\.text))")
            throw BenchError.config
        }
    }

    enum BenchError: Error { case config }

    var address: ListenAddress { .tcp(host: "127.0.0.1", port: worker.listeners[0].port ?? 0) }

    /// A new client; nothing is sent yet.
    func client() throws -> BenchClient { try BenchClient(loop, address) }

    func client(of port: UInt16) throws -> BenchClient {
        try BenchClient(loop, .tcp(host: "127.0.0.1", port: port))
    }

    /// One turn of the loop, of a millisecond at most.
    func turn() {
        let tick = loop.timer {}
        tick.arm(after: 1_000_000)
        loop.runOnce()
    }

    /// Runs the loop until the condition holds; fails after a minute.
    func wait(_ what: String, until holds: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) {
        var isLate = false
        let timer = loop.timer { isLate = true }
        timer.arm(after: 60_000_000_000)
        // Something to wake up for even when nothing else happens.
        let tick = loop.timer {}
        while !holds(), !isLate {
            tick.arm(after: 5_000_000)
            loop.runOnce()
        }
        #expect(!isLate, "\(what) did not come true", sourceLocation: sourceLocation)
    }

    /// One call of the shop's control API.
    func control(_ method: String, _ path: String) throws -> String {
        let client = try client(of: shop.boundPort)
        client.send(method, path)
        wait("an answer of \(path)") { client.answers.count == 1 }
        client.close()
        return client.answers.first?.body ?? ""
    }

    func counter(_ name: String) throws -> Int? {
        let text = try control("GET", "/_demo/counters")
        guard let range = text.range(of: "\"\(name)\":") else { return nil }
        return Int(text[range.upperBound...].prefix { $0.isNumber })
    }
}

extension String {
    /// The first place of a text, without Foundation.
    fileprivate func range(of text: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
