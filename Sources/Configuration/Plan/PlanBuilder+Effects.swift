import Domain
import Expressions

/// Settings that can have no effect, and one that is missing where its absence locks accounts. Warnings: such a file works,
/// but hardly as its author thinks.
extension PlanBuilder {
    func warnOfNoEffect() {
        // What was not understood may be what uses the rest.
        guard !issues.hasErrors else { return }
        for (index, session) in raw.sessions.enumerated() {
            warn(ofLimits: session, endIsKnown: captureNames(index).contains { CredentialExpiry.isSpecial($0) })
            for step in session.value.login { warn(of: step) }
        }
        for route in raw.routes ?? [] { warn(of: route) }
        warnOfVainTests()
        for upstream in raw.upstreams { warnUnlessUsed(upstream, "upstream", by: "no route and no login") }
        for session in raw.sessions { warnUnlessUsed(session, "session", by: "no route") }
        for envelope in raw.envelopes { warnUnlessUsed(envelope, "envelope", by: "no route") }
        let mentions = mentions
        for secret in raw.secrets where !mentions.contains(secret.name) {
            warnUnlessUsed(secret, "secret", by: "nothing")
        }
    }

    private func warnUnlessUsed<Value>(_ named: Named<Value>, _ what: String, by nobody: String) {
        // A profile brings what its users may need.
        guard !usedNames.contains("\(what) \(named.name)"), named.position.profile == nil else { return }
        named.reportName("is used by \(nobody)", severity: .warning)
    }

    private func warn(_ section: Cursor, _ key: String, _ problem: String, hint: String? = nil) {
        section.member(key)?.report(problem, hint: hint, severity: .warning)
    }

    private func warn(ofLimits session: Named<RawSession>, endIsKnown: Bool) {
        let (raw, cursor) = (session.value, session.cursor)
        if raw.taken == nil {
            for key in ["on_taken", "takeover_limit"] {
                warn(cursor, key, "has no effect without taken", hint: "taken: a test over an answer")
            }
        } else if raw.takeover.choice == .yield {
            warn(cursor, "takeover_limit", "has no effect with on_taken: yield")
        }
        guard raw.login.isEmpty, raw.oauth2 == nil, raw.token == nil, raw.human == nil else {
            if endIsKnown { return }
            return warn(
                cursor, "refresh_ahead", "has no effect: nothing tells when the session ends",
                hint: "capture expires_in or expires_at")
        }
        for key in ["taken", "refresh_ahead", "login_time", "backoff", "attempts_window"] {
            warn(cursor, key, "has no effect: the session has no login")
        }
    }

    /// Wrong credentials must be told from a server that is away: they are not tried again.
    private func warn(of step: Placed<RawLoginStep>) {
        guard step.value.refused == nil, let request = step.value.request else { return }
        var secrets = SecretMentions()
        secrets.look(at: request.cursor.node)
        guard !secrets.isEmpty else { return }
        step.cursor.report(
            "no refused: wrong credentials are tried again and again, unless the answer is a 401",
            hint: "say what the answer to them is, like refused: status in [400, 401, 403]", severity: .warning)
    }

    private func warn(of route: Placed<RawRoute>) {
        let (raw, cursor) = (route.value, route.cursor)
        if raw.session == nil { warn(cursor, "relogin", "has no effect without a session", hint: "add session: NAME") }
        if let limits = cursor.member("limits"), UInt64(clamping: raw.limits.replay) > raw.limits.body {
            warn(limits, "replay", "has no effect above body", hint: "raise body, or lower replay")
        }
        if let envelope = raw.envelope, envelope.value.target?.value == "same" {
            warn(envelope.cursor, "status", "has no effect with to: same", hint: "answers pass as they are")
        }
    }

    private var mentions: SecretMentions {
        var mentions = SecretMentions()
        for named in raw.upstreams {
            mentions.look(at: named.cursor.node)
            if let proxy = named.value.proxy?.value {
                mentions.names.formUnion([proxy.username?.value, proxy.password?.value].compactMap(\.self))
            }
        }
        for node in raw.sessions.map(\.cursor.node) + raw.signatures.map(\.cursor.node) { mentions.look(at: node) }
        for node in raw.envelopes.map(\.cursor.node) + (raw.routes ?? []).map(\.cursor.node) {
            mentions.look(at: node)
        }
        return mentions
    }
}
