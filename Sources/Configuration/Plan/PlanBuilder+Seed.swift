import Domain
import Expressions

/// Sessions that begin with a refresh token which somebody gained elsewhere (`seed`), and credentials that would go out
/// empty.
extension PlanBuilder {
    /// Made of secrets alone: it is taken before there is any request.
    func seed(_ named: Named<Cursor>, captures: [String]) -> RenewalPlan.Seed? {
        guard let slot = captures.firstIndex(of: named.name),
            let value = compiler.template(named.value, in: scopes.request())
        else { return nil }
        guard !value.references.isEmpty, value.references.allSatisfy({ $0.name == "secret" }) else {
            named.value.report("is made of secrets and of nothing else", hint: "${secret.NAME}")
            return nil
        }
        return RenewalPlan.Seed(slot: slot, value: value)
    }

    func checkSeed(_ named: Named<RawSession>, _ renewal: RenewalPlan, captures: [String]) {
        let raw = named.value
        guard let cursor = named.cursor.member("seed"), !raw.seed.isEmpty else { return }
        guard !raw.refresh.isEmpty || raw.oauth2 != nil else {
            return cursor.report("there is no refresh that it could begin with", hint: "add refresh")
        }
        let given = raw.seed.map(\.name)
        for name in renewal.refreshNeeds.map({ captures[$0] }) where !given.contains(name) {
            cursor.report("the first request of refresh uses session.\(name), which is not in it", hint: "add \(name)")
        }
        guard raw.login.isEmpty, raw.oauth2 == nil, raw.human == nil else { return }
        if raw.store == nil {
            cursor.report(
                "a refresh token that the server replaces is lost with the next restart, and somebody has to gain a new one",
                hint: "add store", severity: .warning)
        }
        if let step = raw.refresh.first, step.value.refused == nil {
            step.cursor.report(
                "no refused: a dead refresh token is tried again and again, unless the answer is an invalid_grant of OAuth 2.0",
                hint: "say what the answer to it is, like refused: json.code == 4001", severity: .warning)
        }
    }

    /// What goes with each request has to be there from the start: a capture that only a later refresh brings would be sent
    /// empty.
    func checkAttached(_ named: Named<RawSession>, _ attach: AttachPlan) {
        let raw = named.value
        // Without any of them the refresh is a mistake, which is reported.
        guard !raw.login.isEmpty || !raw.seed.isEmpty || raw.human != nil else { return }
        func names(_ steps: [Placed<RawLoginStep>]) -> [String] { steps.flatMap { $0.value.captures.map(\.name) } }
        let refreshed = Set(names(raw.refresh))
        let first = Set(names(raw.login) + raw.updates.map(\.name) + ["human"])
        let seeded = raw.seed.isEmpty ? [] : refreshed.union(raw.seed.map(\.name))
        let attached = Set(attach.fields.flatMap { $0.value.references })
            .compactMap { $0.name == "session" ? $0.member : nil }
        for name in attached.sorted() where refreshed.contains(name) && !first.contains(name) {
            guard raw.oauth2 == nil, !raw.login.isEmpty || !seeded.contains(name) else { continue }
            (named.cursor.member("attach") ?? named.cursor).report(
                "session.\(name) is there after a refresh only, so that it would be sent empty before",
                hint: raw.login.isEmpty ? "begin with the refresh: seed" : "capture it in login too")
        }
    }
}
