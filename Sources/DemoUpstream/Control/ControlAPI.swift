import Bytes
import JSONBytes

/// The demo's own API under `/_demo/`: faults, the other device, counters. No socket in here.
enum ControlAPI {
    static let prefix: StaticString = "/_demo/"

    /// Runs one control call. `name` is the path after the prefix.
    static func answer(
        _ name: [UInt8], isPost: Bool, query: PHPForm, state: inout DemoState, now: Int64
    ) -> ControlAnswer {
        let name = String(decoding: name, as: UTF8.self)
        if name == "counters" { return counters(state) }
        guard changes.contains(name) else { return failure(404, "no such control call") }
        guard isPost else { return failure(405, "POST only") }
        return change(name, query, &state, now)
    }

    private static let changes: Set<String> = [
        "expire", "other-device", "slow", "down", "fail", "drop", "notice", "lock", "idle", "clock", "reset",
    ]

    private static func change(
        _ name: String, _ query: PHPForm, _ state: inout DemoState, _ now: Int64
    ) -> ControlAnswer {
        switch name {
        case "expire": expire(query, &state)
        case "other-device": return otherDevice(query, &state, now)
        case "slow":
            guard let delay = number(query, "ms", default: 0, upTo: 3_600_000) else { return badNumber("ms") }
            state.faults.delay = UInt64(delay) * 1_000_000
        case "down":
            guard let span = number(query, "for", default: 1000, upTo: 3_600_000) else { return badNumber("for") }
            return ControlAnswer(body: done, effect: .down(milliseconds: UInt64(span)))
        case "fail":
            guard let status = number(query, "status", default: 503, upTo: 599), status >= 400 else {
                return badNumber("status")
            }
            guard let count = number(query, "count", default: 1, upTo: 1_000_000) else { return badNumber("count") }
            (state.faults.failStatus, state.faults.failCount) = (status, count)
        case "drop":
            guard let count = number(query, "count", default: 1, upTo: 1_000_000) else { return badNumber("count") }
            (state.faults.dropCount, state.faults.runsDropped) = (count, isOn(query, "run", default: false))
        case "notice": state.shop.showsNotice = isOn(query, "on", default: true)
        case "lock": return lock(query, &state)
        case "idle":
            guard let seconds = number(query, "seconds", default: 0, upTo: 1_000_000_000) else {
                return badNumber("seconds")
            }
            state.shop.idleSeconds = Int64(seconds)
        case "clock":
            let offset = PHPNumber.leadingInteger(query.text("offset"))
            state.faults.clockOffset = min(max(offset, -1_000_000_000), 1_000_000_000)
        default: reset(&state)
        }
        return ControlAnswer(body: done)
    }

    // MARK: Accounts

    /// Every token dies: it is unknown from now on (-101), or too old with `?as=idle` (-102).
    private static func expire(_ query: PHPForm, _ state: inout DemoState) {
        let isIdle = query.text("as") == Array("idle".utf8)
        for index in state.shop.users.indices {
            if isIdle {
                state.shop.users[index].lastLogin = 0
            } else {
                state.shop.users[index].token = nil
            }
        }
    }

    private static func otherDevice(_ query: PHPForm, _ state: inout DemoState, _ now: Int64) -> ControlAnswer {
        guard let index = user(query, state) else { return failure(404, "no such user") }
        state.shop.renewToken(ofUserAt: index, now: now)
        return ControlAnswer(body: done)
    }

    private static func lock(_ query: PHPForm, _ state: inout DemoState) -> ControlAnswer {
        guard let index = user(query, state) else { return failure(404, "no such user") }
        state.shop.users[index].isLocked = isOn(query, "on", default: true)
        return ControlAnswer(body: done)
    }

    /// Without `user=` the first one is meant.
    private static func user(_ query: PHPForm, _ state: DemoState) -> Int? {
        let name = query.text("user")
        return name.isEmpty ? state.shop.users.indices.first : state.shop.users.firstIndex { $0.name == name }
    }

    /// As after a start, but the connections that are open still count.
    private static func reset(_ state: inout DemoState) {
        let connections = state.shop.counters.connections
        state = DemoState(options: state.shop.options)
        state.shop.counters.connections = connections
    }

    // MARK: Text

    private static let done = Array(#"{"ok":true}"#.utf8)

    private static func counters(_ state: DemoState) -> ControlAnswer {
        var writer = JSONWriter()
        state.shop.counters.write(to: &writer)
        return ControlAnswer(body: writer.take())
    }

    static func failure(_ status: Int, _ message: StaticString) -> ControlAnswer {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("ok")
        writer.bool(false)
        writer.key("error")
        writer.string(message)
        writer.endObject()
        return ControlAnswer(status: status, body: writer.take())
    }

    private static func badNumber(_ name: StaticString) -> ControlAnswer {
        var answer = failure(400, "bad number")
        answer.body = Array("{\"ok\":false,\"error\":\"bad number: ".utf8) + name.bytes + Array("\"}".utf8)
        return answer
    }

    private static func number(_ query: PHPForm, _ name: StaticString, default usual: Int, upTo limit: Int) -> Int? {
        guard query[name] != nil else { return usual }
        let text = query.text(name)
        guard let value = ASCII.decimal(text.span), value <= UInt64(limit) else { return nil }
        return Int(value)
    }

    private static func isOn(_ query: PHPForm, _ name: StaticString, default usual: Bool) -> Bool {
        guard query[name] != nil else { return usual }
        let text = query.text(name)
        return !(text.isEmpty || text == [0x30] || text == Array("off".utf8) || text == Array("false".utf8))
    }
}
