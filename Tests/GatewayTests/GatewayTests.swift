import Bytes
import DemoUpstream
import Domain
import LoopKit
import Testing

@testable import Gateway

@Suite(.serialized) struct GatewayTests {
    @Test func aCallLogsInByItselfAndIsAnsweredInTheStandardEnvelope() throws {
        let bench = try Bench()
        let client = try bench.client()
        client.send("POST", "/api/User/userInfo", body: "page=1")
        bench.wait("the answer") { client.answers.count == 1 }
        let answer = try #require(client.answers.first)
        #expect(answer.status == 200)
        #expect(answer.body.hasPrefix(#"{"success":true,"code":1,"#))
        #expect(try bench.counter("logins") == 1)
    }

    @Test func aThousandRequestsThatMeetADeadSessionCauseOneLoginAndNoOrderTwice() throws {
        let bench = try Bench()
        let first = try bench.client()
        first.send("POST", "/api/User/userInfo", body: "page=1")
        bench.wait("the first answer") { first.answers.count == 1 }
        _ = try bench.control("POST", "/_demo/expire")
        let clients = try (0..<1000).map { number in
            let client = try bench.client()
            client.send("POST", "/api/Cart/cart3", body: "order_ref=r\(number)")
            return client
        }
        bench.wait("a thousand answers") { clients.allSatisfy { $0.answers.count == 1 } }
        #expect(clients.allSatisfy { $0.answers.first?.body.hasPrefix(#"{"success":true"#) == true })
        #expect(try bench.counter("logins") == 2)
        #expect(try bench.counter("orders") == 1000)
        #expect(try bench.counter("duplicate_orders") == 0)
        for client in clients { client.close() }
        bench.wait("the connections to be forgotten") { bench.worker.connections.count <= 1 }
        #expect(bench.worker.inFlight == 0)
    }

    @Test func anUpstreamThatGoesAwayIsAnsweredAtOnceAndNoticedWhenItIsBack() throws {
        let bench = try Bench()
        let client = try bench.client()
        client.send("GET", "/ping")
        bench.wait("the first answer") { client.answers.count == 1 }
        _ = try bench.control("POST", "/_demo/down?for=300")
        for count in 2...6 {
            client.send("GET", "/ping")
            bench.wait("answer \(count)") { client.answers.count == count }
        }
        #expect(client.answers[5].status == 503)
        #expect(client.answers[5].head.contains("Retry-After: 1"))
        // Without a client: the probe is the trial.
        bench.wait("the upstream to be back") { bench.worker.runtime.upstreams[0].status.breaker == .closed }
        client.send("GET", "/ping")
        bench.wait("the last answer") { client.answers.count == 7 }
        #expect(client.answers[6].status == 200)
    }

    @Test func aClientThatDoesNotReadThrottlesTheUpstream() throws {
        let bench = try Bench()
        let client = try bench.client()
        client.onlyCounts = true
        client.isReading = false
        let total = 64 * 1024 * 1024
        client.send("GET", "/_demo/bytes?count=\(total)")
        bench.wait("the transfer to be paused") {
            bench.worker.connections.values.contains { $0.output.count > Watermark.low }
        }
        let most = bench.worker.connections.values.map(\.output.count).max() ?? 0
        #expect(most < Watermark.high + 256 * 1024)
        client.isReading = true
        bench.wait("everything") { client.byteCount > total }
    }

    @Test func clientsThatLeaveAtAnyPointLeaveNothingBehind() throws {
        let bench = try Bench()
        _ = try bench.control("POST", "/_demo/slow?ms=20")
        for number in 0..<200 {
            let client = try bench.client()
            let text = "POST /api/User/userInfo HTTP/1.1\r\nHost: \(client.host)\r\nContent-Length: 6\r\n\r\npage=1"
            client.send(String(text.prefix(number % text.count + 1)))
            for _ in 0..<number % 4 { bench.turn() }
            number % 2 == 0 ? client.reset() : client.close()
        }
        bench.wait("all connections to be closed") { bench.worker.connections.isEmpty }
        bench.wait("all transfers to be over") { bench.worker.inFlight == 0 }
        #expect(bench.worker.runtime.upstreams[0].transport.gauges.inFlight <= 1)
    }

    @Test func aReloadKeepsConnectionsAndTheSession() throws {
        let bench = try Bench()
        let client = try bench.client()
        client.send("POST", "/api/User/userInfo", body: "page=1")
        bench.wait("the first answer") { client.answers.count == 1 }
        let text = Bench.config(port: bench.shop.boundPort)
        bench.nextPlan = .plan(
            try Bench.plan(text.replacing("in_flight: 4000, drain", with: "in_flight: 3000, drain")), warnings: [])
        bench.worker.reload()
        client.send("POST", "/api/User/userInfo", body: "page=1")
        bench.wait("the second answer") { client.answers.count == 2 }
        #expect(bench.worker.runtime.plan.limits.inFlight == 3000)
        #expect(try bench.counter("logins") == 1)
    }

    @Test func aRefusedReloadKeepsTheOldPlan() throws {
        let bench = try Bench()
        let before = bench.worker.runtime.plan
        bench.nextPlan = .refused(["bench.yaml:1:1 listen: nothing"])
        bench.worker.reload()
        #expect(bench.worker.runtime.plan === before)
    }

    @Test func aDrainEndsWithTheLastAnswer() throws {
        let bench = try Bench()
        _ = try bench.control("POST", "/_demo/slow?ms=50")
        let client = try bench.client()
        client.send("POST", "/api/User/userInfo", body: "page=1")
        bench.wait("the request to be under way") { bench.worker.inFlight == 1 }
        bench.worker.ending.begin()
        bench.wait("the answer and the end") { client.answers.count == 1 && client.isEnded }
        #expect(client.answers.first?.head.contains("Connection: close") == true)
    }
}
