import Domain
import Expressions

/// What a session and the steps of its login do, in words: `(label, text)` in the order of reading. Of expressions it tells
/// the source, which names secrets and holds none (mask it all the same: a literal may stand there).
enum SessionWords {
    typealias Row = (label: String, text: String)

    static func rows(_ session: SessionPlan) -> [Row] {
        var rows = sources(session).map { Row("gained by", $0) }
        if session.keepsCookies {
            rows.append(("cookies", "kept: what a step sets goes with the next, and with requests"))
        }
        if session.digest != nil {
            rows.append(("digest", "HTTP Digest (RFC 7616): the upstream's challenge is answered, request by request"))
        }
        if session.dpop != nil {
            rows.append(("dpop", "a proof of possession (RFC 9449) goes with each step and with each request"))
        }
        if let store = session.store { rows.append(("store", "kept across restarts in \(store.path), sealed")) }
        rows += session.attach.fields.map { field in
            ("attach", "\(field.place) \(Printable.line(field.name)) = \(field.value.source)")
        }
        if let update = session.update {
            rows += update.captures.map {
                ("update", "session.\(session.captureNames[$0.slot]) = \($0.value.source), of each answer that has it")
            }
        }
        if let keepalive = session.keepalive { rows.append(("keepalive", text(keepalive))) }
        if session.hasLogin {
            rows.append(("expired", "when \(session.expired?.source ?? "status == 401")"))
            if let taken = session.taken {
                rows.append(("taken", "when \(taken.when.source), \(policy(taken.policy))"))
            }
            rows.append(("limits", limits(session.limits)))
        }
        return rows
    }

    static func rows(_ step: LoginStep, _ names: [String]) -> [Row] {
        var rows: [Row] = []
        if let poll = step.poll {
            let (every, longest) = (poll.every?.source ?? "5", poll.longest?.source ?? "900")
            rows.append(
                ("pending", "when \(poll.pending.source); asked again every \(every) s, for \(longest) s at most"))
            if let slower = poll.slower { rows.append(("slower", "by 5 s when \(slower.source)")) }
        }
        if let human = step.human { rows.append((step.asks ? "asks" : "human", human.source)) }
        if let refused = step.refused { rows.append(("refused", "when \(refused.source): no other try on its own")) }
        if let wait = step.retryAfter { rows.append(("wait", "as long as \(wait.source) says, then another try")) }
        rows.append(("success", "when \(step.success?.source ?? "status in 200..299")"))
        rows += step.captures.map { ("capture", "session.\(names[$0.slot]) = \($0.value.source)") }
        return rows
    }

    private static func sources(_ session: SessionPlan) -> [String] {
        var texts: [String] = []
        if let human = session.renewal.human { texts.append("a person, whose answer is session.human: \(human)") }
        switch session.login.count {
        case 0: break
        case 1: texts.append("a login of one step")
        case let count: texts.append("a login of \(count) steps")
        }
        if session.asksPerson {
            texts.append("a person who answers on its way: it runs only when an operator asks for it")
        }
        switch session.renewal.source?.place {
        case .file(let path)?: texts.append("the token in the file \(path), read again when it changes or is refused")
        case .command(let arguments, let time)?:
            texts.append("what the command prints: \(arguments.joined(separator: " ")), at most \(seconds(time))")
        case nil: break
        }
        texts += session.renewal.seed.map {
            "a refresh that begins with session.\(session.captureNames[$0.slot]) = \($0.value.source)"
        }
        if !session.renewal.refresh.isEmpty {
            let needs = session.renewal.refreshNeeds.map { "session.\(session.captureNames[$0])" }
            let condition = needs.isEmpty ? "" : " while there is \(needs.joined(separator: " and "))"
            let time = session.renewal.refreshesExpired ? "tried first" : "ahead of the end"
            texts.append("a refresh, \(time)\(condition)")
        }
        return texts.isEmpty ? ["nothing: it has no login and is always ready"] : texts
    }

    private static func text(_ keepalive: KeepalivePlan) -> String {
        "\(Printable.line(keepalive.step.method)) \(keepalive.step.path.source) after \(seconds(keepalive.every)) without a "
            + "request, until \(seconds(keepalive.longest)) after the last one of a client"
    }

    private static func policy(_ policy: TakenPlan.Policy) -> String {
        switch policy {
        case .yield: "then left to the other until an operator asks for a login"
        case .takeover(let times, let per): "then taken back, at most \(times) times in \(seconds(per))"
        }
    }

    private static func limits(_ limits: SessionLimits) -> String {
        "at most \(limits.windowLogins) logins in \(seconds(limits.windowTime)); after a failure a pause of "
            + "\(seconds(limits.backoffMin)) to \(seconds(limits.backoffMax)); "
            + "renewed \(seconds(limits.refreshAhead)) before a known end at most"
    }

    private static func seconds(_ nanoseconds: UInt64) -> String {
        let milliseconds = nanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
