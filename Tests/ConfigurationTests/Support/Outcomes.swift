import Configuration

extension ConfigOutcome {
    /// Issues, or warnings and remarks of a plan.
    var messages: [ConfigIssue] {
        switch self {
        case .plan(_, let warnings): warnings
        case .issues(let issues): issues
        }
    }

    var isPlan: Bool {
        if case .plan = self { return true }
        return false
    }

    var text: String { messages.map(\.text).joined(separator: "\n") }
}

/// A config that is complete with these lines.
func minimal(_ lines: String) -> String {
    "listen: 127.0.0.1:8080\nroutes: [{path: /**, upstream: a}]\nupstreams: {a: {url: \"https://a.example\"}}\n" + lines
}

func load(_ text: String, environment: [String: String] = [:]) -> ConfigOutcome {
    ConfigLoader(environment: environment).load(text: text, file: "test.yaml")
}
