/// A config file as a tree. One document, no tags, no merge keys, unique keys; anchors and aliases work.
struct YAMLDocument {
    /// Largest file, in bytes; above: issue. The biggest real config is some ten KiB.
    static let largestFile = 1 << 20
    /// Deepest nesting; above: issue. The schema needs eight levels.
    static let deepest = 64
    /// Most nodes with aliases expanded; above: issue ("billion laughs").
    static let mostNodes = 100_000

    /// `nil` when the text is no YAML or holds nothing; then the sink has an error.
    let root: YAMLNode?

    init(parsing source: SourceText, issues: IssueSink) {
        guard source.bytes.count <= YAMLDocument.largestFile else {
            issues.report(
                "larger than 1 MiB", at: SourcePosition(line: 1, column: 1), path: "")
            root = nil
            return
        }
        do throws(YAMLFault) {
            var composer = YAMLComposer(issues: issues)
            root = try composer.compose(YAMLEventReader(source.bytes))
            if root == nil, !issues.hasErrors {
                issues.report("the file is empty", at: SourcePosition(line: 1, column: 1), path: "")
            }
        } catch {
            issues.report(error.problem, hint: error.hint, at: error.position, path: "")
            root = nil
        }
    }
}
