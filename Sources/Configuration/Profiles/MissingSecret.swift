/// A secret that a profile names and the config does not define.
struct MissingSecret {
    var name: String
    /// Where the config asks for the profile.
    var mount: SourcePosition
    /// Where the secret is told of.
    var cursor: Cursor
    var problem: String
    var hint: String?
}
