/// A profile with everything that it extends merged in.
struct Profile {
    var label: String
    /// In the order of the base's file, then its own.
    var parameters: [ProfileFacts.Entry]
    var secrets: [ProfileFacts.Entry]
    /// Mapping of `RawProfile.parts`.
    var parts: YAMLNode
}
