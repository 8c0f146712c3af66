import JSONBytes
import Testing

@testable import DemoUpstream

@Suite struct ControlAPITests {
    private func post(_ call: String, _ state: inout DemoState, isPost: Bool = true) -> ControlAnswer {
        let parts = call.split(separator: "?", maxSplits: 1).map(String.init)
        let query = parts.count > 1 ? bytes(parts[1]) : []
        return ControlAPI.answer(
            bytes(parts[0]), isPost: isPost, query: PHPForm(query.span), state: &state, now: 1000)
    }

    @Test func faults() {
        var state = DemoState(options: DemoOptions())
        #expect(post("slow?ms=250", &state).status == 200)
        #expect(state.faults.delay == 250_000_000)
        _ = post("fail?status=502&count=3", &state)
        #expect((state.faults.failStatus, state.faults.failCount) == (502, 3))
        _ = post("drop?count=2&run=1", &state)
        #expect((state.faults.dropCount, state.faults.runsDropped) == (2, true))
        _ = post("clock?offset=-90", &state)
        #expect(state.faults.clockOffset == -90)
        _ = post("idle?seconds=5", &state)
        #expect(state.shop.idleSeconds == 5)
        _ = post("notice?on=1", &state)
        #expect(state.shop.showsNotice)
        _ = post("notice?on=0", &state)
        #expect(!state.shop.showsNotice)
        #expect(post("down?for=70", &state).effect == .down(milliseconds: 70))
        _ = post("reset", &state)
        #expect(state.faults == DemoFaults())
        #expect(state.shop.idleSeconds == 3600)
    }

    @Test func tokens() {
        var state = DemoState(options: DemoOptions())
        state.shop.users[0].token = bytes("t")
        state.shop.users[0].lastLogin = 990
        _ = post("expire?as=idle", &state)
        #expect(state.shop.users[0].token == bytes("t"))
        #expect(state.shop.users[0].lastLogin == 0)
        _ = post("other-device?user=13800138006", &state)
        #expect(state.shop.users[0].token != bytes("t"))
        #expect(state.shop.users[0].token != nil)
        _ = post("expire", &state)
        #expect(state.shop.users[0].token == nil)
        _ = post("lock?user=13800138006", &state)
        #expect(state.shop.users[0].isLocked)
        _ = post("lock?on=0", &state)
        #expect(!state.shop.users[0].isLocked)
        #expect(post("lock?user=nobody", &state).status == 404)
    }

    @Test(arguments: [
        ("fly", true, 404), ("expire", false, 405), ("slow?ms=x", true, 400), ("slow?ms=-1", true, 400),
        ("slow?ms=99999999999999999999", true, 400), ("fail?status=200", true, 400), ("fail?count=", true, 400),
        ("counters", false, 200),
    ])
    func refusals(call: String, isPost: Bool, status: Int) throws {
        var state = DemoState(options: DemoOptions())
        let answer = post(call, &state, isPost: isPost)
        #expect(answer.status == status)
        #expect(state.faults == DemoFaults())
        _ = try JSONDocument(parsing: answer.body)
    }
}
