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
        for signature in route.signatures {
            guard let test = signature.clockRefused?.source else { continue }
            steps.append("clock refused when \(test); then signed again with the upstream's time, once")
        }
        for envelope in route.verifying {
            let test = envelope.verify?.source ?? ""
            steps.insert("passed on, or read at all, only if \(test) (envelope \(envelope.name))", at: 0)
        }
        if let envelope = route.sessionEnvelope {
            steps.append("tests of the session read what envelope \(envelope.name) leaves")
        }
        guard let envelope = route.envelope else { return steps + ["passed on as it is"] }
        let unwrap = envelope.from.unwrap.map(\.text).joined(separator: ", ")
        steps.append("read as envelope \(envelope.from.name)\(unwrap.isEmpty ? "" : " (unwrap: \(unwrap))")")
        if let open = envelope.from.open { steps.append("opened: \(open.source)") }
        let status =
            switch envelope.status {
            case .keep: "status kept"
            case .map: "status 422 for a failure under 2xx, 200 for a success under 4xx or 5xx"
            case .given(let expression): "status: \(expression.source)"
            }
        switch envelope.target {
        case .same: steps.append("passed on as it is; the gateway's own errors in the same dialect")
        case .standard: steps.append("told as standard envelope, \(status)")
        case .problem: steps.append("told as problem details (RFC 9457) where ok is false, \(status)")
        case .other(let other): steps.append("told as envelope \(other.name), \(status)")
        }
        return steps
    }

    /// The value of an expression as it may be shown; `nil`: it has none.
    static func value(_ step: AnswerExplanation.Step, _ mask: SecretMask) -> [UInt8]? {
        guard let value = step.value, step.isSecret, !mask.isOff, value != Array("null".utf8) else {
            return step.value.map { mask($0) }
        }
        return Array("*** (\(value.count) bytes of JSON)".utf8)
    }

    /// What becomes of a login.
    static func text(_ verdict: LoginRun.Verdict) -> String {
        switch verdict {
        case .next: return "the next step"
        case .wait(let pause, let todo): return "not yet, asked again in \(seconds(pause)); \(todo.detail)"
        case .succeeded(let grant):
            let end = grant.lifetime.map { "ends in \(seconds($0))" } ?? "no known end"
            return "the session is ready, \(end)\(grant.expiryProblem.map { " (\($0))" } ?? "")"
        case .refused(let error): return "no other try on its own (\(error.kind.rawValue)): \(error.detail)"
        case .failed(let error, let wait, let isDoubtful):
            let pause = wait.map { "another try in \(seconds($0)) or more" } ?? "another try after the usual pause"
            return "\(pause)\(isDoubtful ? ", when a request comes" : "") (\(error.kind.rawValue)): \(error.detail)"
        }
    }

    private static func seconds(_ nanoseconds: UInt64) -> String { "\(nanoseconds / 1_000_000_000) s" }

    static func target(_ rule: EnvelopeRule) -> String {
        switch rule.target {
        case .same: "same"
        case .standard: "standard"
        case .problem: "problem"
        case .other(let other): other.name
        }
    }
}
