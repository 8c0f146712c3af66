import Expressions

/// Whether expressions look at a body: then it must be held, and cannot just pass through.
enum BodyUse {
    static func ofRequest(_ references: some Sequence<Reference>) -> Bool {
        references.contains { reference in
            guard reference.name == "request" else { return false }
            // Without a member the whole object is used somehow.
            guard let member = reference.member else { return true }
            return member == "form" || member == "json" || member == "body"
        }
    }

    static func ofResponse(_ references: some Sequence<Reference>) -> Bool {
        references.contains { reference in
            switch reference.name {
            case "json", "text", "xml": return true
            case "response":
                guard let member = reference.member else { return true }
                return member == "json" || member == "text" || member == "xml" || member == "body"
            default: return false
            }
        }
    }
}
