/// The manual's page of profiles, as Markdown, from the profiles themselves.
package enum ProfileReference {
    /// One section for each profile, with a line break at the end.
    package static var markdown: String {
        var text = "# Profiles\n\nMade from the profiles themselves. `countersign profiles NAME` prints one.\n"
        for profile in BundledProfile.all {
            guard let facts = profile.facts else { continue }
            text += "\n## \(profile.name)\n\n\(facts.summary)"
            text += facts.base.map { " Extends `\($0)`: its parameters and secrets hold too.\n" } ?? "\n"
            text += table("parameter", facts.parameters) { entry in
                entry.initial.map { $0.isEmpty ? "empty" : "`\($0)`" } ?? "required"
            }
            text += table("secret", facts.secrets) { _ in nil }
        }
        return text
    }

    private static func table(
        _ what: String, _ entries: [ProfileFacts.Entry], initial: (ProfileFacts.Entry) -> String?
    ) -> String {
        guard let first = entries.first else { return "" }
        let hasDefaults = initial(first) != nil
        var text = "\n| \(what) |\(hasDefaults ? " default |" : "") meaning |\n|---|\(hasDefaults ? "---|" : "")---|\n"
        for entry in entries {
            let value = initial(entry).map { " \(KeyReference.cell($0)) |" } ?? ""
            text += "| `\(entry.name)` |\(value) \(KeyReference.cell(entry.doc)) |\n"
        }
        return text
    }
}
