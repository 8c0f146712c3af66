import Domain

extension PlanBuilder {
    func buildListeners() -> [ListenerPlan] {
        let listeners = raw.listen ?? []
        var seen: [ListenerPlan] = []
        for listener in listeners + [raw.admin].compactMap(\.self) {
            if !raw.allowRemote, !AddressSyntax.isLoopback(listener.value) {
                listener.cursor.report(
                    "other hosts could reach this address",
                    hint: "use 127.0.0.1 or [::1], or set allow_remote: true if they may use your sessions")
            }
            let addresses = addresses(of: listener.value)
            if addresses.contains(where: { seen.contains($0) && !isAnyPort($0) }) {
                listener.cursor.report("the same address twice")
            }
            seen += addresses
        }
        return listeners.map(\.value)
    }

    private func addresses(of listener: ListenerPlan) -> [ListenerPlan] {
        guard case .localhost(let port) = listener else { return [listener] }
        return [.tcp(host: "127.0.0.1", port: port), .tcp(host: "::1", port: port)]
    }

    private func isAnyPort(_ listener: ListenerPlan) -> Bool {
        if case .tcp(_, 0) = listener { return true }
        return false
    }

    func checkTexts() {
        let languages = Language.allCases.map(\.rawValue)
        let kinds = GatewayError.Kind.allCases.map(\.rawValue)
        for language in raw.texts {
            if !languages.contains(language.name) {
                let hint = Suggestion.hint(for: language.name, among: languages)
                language.reportName("no language \(Quoted.text(language.name))", hint: hint)
            }
            for kind in language.value where !kinds.contains(kind.name) {
                let hint = Suggestion.nearest(to: kind.name, among: kinds).map { "did you mean \($0)?" }
                kind.reportName("no kind of error is named \(Quoted.text(kind.name))", hint: hint)
            }
        }
    }
}
