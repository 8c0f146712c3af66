import Domain

extension PlanBuilder {
    func buildListeners() -> [ListenerPlan] {
        let listeners = raw.listen ?? []
        if raw.listen?.isEmpty == true {
            Cursor(node: root, path: "listen", issues: issues).report("at least one address is needed")
        }
        var seen: [ListenerPlan] = []
        for listener in listeners + [raw.admin].compactMap(\.self) {
            if !raw.allowRemote, !AddressSyntax.isLoopback(listener.value) {
                listener.cursor.report(
                    "other hosts could reach this address",
                    hint: "use 127.0.0.1 or [::1], or set allow_remote: true if they may use your sessions")
            }
            if seen.contains(listener.value), !isAnyPort(listener.value) {
                listener.cursor.report("the same address twice")
            }
            seen.append(listener.value)
        }
        return listeners.map(\.value)
    }

    private func isAnyPort(_ listener: ListenerPlan) -> Bool {
        if case .tcp(_, 0) = listener { return true }
        return false
    }

    /// Kinds of errors that have a text.
    static let textKinds = [
        "offline", "dns", "refused", "connection_lost", "tls", "timeout", "bad_answer", "upstream_error",
        "login_required", "login_refused", "login_unavailable", "session_pending", "session_taken", "overloaded",
        "bad_request", "too_large", "not_found", "forbidden", "internal",
    ]

    func checkTexts() {
        for language in raw.texts {
            for kind in language.value where !PlanBuilder.textKinds.contains(kind.name) {
                let hint = Suggestion.nearest(to: kind.name, among: PlanBuilder.textKinds)
                kind.reportName(
                    "no kind of error is named \(Quoted.text(kind.name))", hint: hint.map { "did you mean \($0)?" })
            }
        }
    }
}
