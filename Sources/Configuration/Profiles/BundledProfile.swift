/// A profile that the program brings along; its text is the file of the same name in `config/profiles`.
package struct BundledProfile: Sendable {
    package let name: String
    /// The file as it is, comments too.
    package let text: String

    /// The one with this name.
    package static func named(_ name: String) -> BundledProfile? { all.first { $0.name == name } }

    /// What the file says about itself; `nil` when it cannot be read, which a test rules out.
    package var facts: ProfileFacts? {
        let source = SourceText(bytes: Array(text.utf8))
        let sink = IssueSink(file: name, source: source)
        guard let root = YAMLDocument(parsing: source, issues: sink).root,
            let raw = RawProfile.section.read(Cursor(node: root, path: "", issues: sink)), !sink.hasErrors
        else { return nil }
        return ProfileFacts(
            summary: raw.summary ?? "", base: raw.base?.value,
            parameters: raw.parameters.compactMap(\.fact), secrets: raw.secrets.compactMap(\.fact))
    }
}
