/// The text of a profile in use: what the places of its nodes refer to, and where the config asks for it.
final class ProfileText: Sendable, Equatable {
    /// For messages: `profile tpshop`.
    let label: String
    let source: SourceText
    /// Place of `profile:` in the config, where issues are shown: it is the line that the user can change.
    let mount: SourcePosition

    init(label: String, source: SourceText, mount: SourcePosition) {
        self.label = label
        self.source = source
        self.mount = mount
    }

    static func == (first: ProfileText, second: ProfileText) -> Bool { first === second }
}
