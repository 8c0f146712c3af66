/// Why the text is no YAML.
struct YAMLFault: Error {
    /// libyaml's own words; they never quote the text.
    var problem: String
    var position: SourcePosition
}
