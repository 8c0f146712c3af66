import Domain
import Expressions

/// What would be done with the answer, in words.
enum AnswerText {
    static func steps(_ explanation: Explanation) -> [String] {
        guard let route = explanation.route else { return [] }
        var steps: [String] = []
        if let session = explanation.session, session.state == .attached {
            let test = session.expired ?? "status == 401"
            steps.append(
                "expired when \(test); \(route.relogin ? "then a new login and a replay" : "passed on as it is")")
        }
        guard let envelope = route.envelope else { return steps + ["passed on as it is"] }
        let unwrap = envelope.from.unwrap.map(\.text).joined(separator: ", ")
        steps.append("read as envelope \(envelope.from.name)\(unwrap.isEmpty ? "" : " (unwrap: \(unwrap))")")
        if let open = envelope.from.open { steps.append("opened: \(open.source)") }
        let status = envelope.status == .map ? "status 422 where ok is false and the upstream said 2xx" : "status kept"
        switch envelope.target {
        case .same: steps.append("passed on as it is; the gateway's own errors in the same dialect")
        case .standard: steps.append("told as standard envelope, \(status)")
        case .problem: steps.append("told as problem details (RFC 9457) where ok is false, \(status)")
        case .other(let other): steps.append("told as envelope \(other.name), \(status)")
        }
        return steps
    }

    static func target(_ rule: EnvelopeRule) -> String {
        switch rule.target {
        case .same: "same"
        case .standard: "standard"
        case .problem: "problem"
        case .other(let other): other.name
        }
    }
}
