/// The manual's page of profiles, as Markdown, from the profiles themselves.
package enum ProfileReference {
    /// One table, in which each profile has a row and its parameters and secrets follow; with a line break at the end.
    package static var markdown: String {
        var text = "# Profiles\n\nMade from the profiles themselves.\n"
        text += "\n| profile, parameter or secret | default | meaning |\n|---|---|---|\n"
        for profile in BundledProfile.all {
            guard let facts = profile.facts else { continue }
            let base = facts.base.map { " Takes what `\($0)` takes, and:" } ?? ""
            text += "| **\(profile.name)** | | \(KeyReference.cell(facts.summary))\(base) |\n"
            for entry in facts.parameters {
                let initial = entry.initial.map { $0.isEmpty ? "" : "`\($0)`" } ?? "*required*"
                text += "| `\(entry.name)` | \(KeyReference.cell(initial)) | \(KeyReference.cell(entry.doc)) |\n"
            }
            for entry in facts.secrets {
                text += "| `secret.\(entry.name)` | | \(KeyReference.cell(entry.doc)) |\n"
            }
        }
        return text
    }
}
