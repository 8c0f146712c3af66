/// A node with its path and the place for its issues.
struct Cursor {
    let node: YAMLNode
    let path: String
    let issues: IssueSink

    func child(_ node: YAMLNode, key: String) -> Cursor {
        Cursor(node: node, path: Cursor.path(path, key: key), issues: issues)
    }

    func child(_ node: YAMLNode, index: Int) -> Cursor {
        Cursor(node: node, path: Cursor.path(path, index: index), issues: issues)
    }

    func report(
        _ problem: @autoclosure () -> String, hint: @autoclosure () -> String? = nil,
        severity: ConfigIssue.Severity = .error
    ) {
        issues.report(problem(), hint: hint(), at: node.position, path: path, severity: severity)
    }

    /// Reports at a byte of the scalar's decoded text.
    func report(
        _ problem: String, hint: String? = nil, atByte offset: Int, severity: ConfigIssue.Severity = .error
    ) {
        guard case .scalar(let scalar) = node.content else {
            return report(problem, hint: hint, severity: severity)
        }
        let profile = node.position.profile
        let source = profile?.source ?? issues.source
        // Parameters that were put in shift the text, so the line inside a profile is near, not exact.
        var position = ScalarMap.position(of: offset, in: scalar, at: node.position, source: source)
        position.profile = profile
        issues.report(problem, hint: hint, at: position, path: path, severity: severity)
    }

    /// The scalar here; anything else is an issue.
    func scalar(expected type: ValueType) -> YAMLScalar? {
        if case .scalar(let scalar) = node.content { return scalar }
        report("expected \(type.name), not \(node.kindName)")
        return nil
    }

    static func path(_ parent: String, key: String) -> String {
        let isPlain = !key.isEmpty && key.utf8.allSatisfy { ASCIIName.isNameByte($0) }
        let shown = isPlain ? Quoted.plain(key, limit: Quoted.limit) : Quoted.text(key)
        return parent.isEmpty ? shown : parent + "." + shown
    }

    static func path(_ parent: String, index: Int) -> String { parent + "[\(index)]" }
}

extension Cursor {
    /// The scalar's text; `nil` for a list or a mapping.
    var text: String? {
        if case .scalar(let scalar) = node.content { scalar.text } else { nil }
    }

    /// The value of a key here.
    func member(_ key: String) -> Cursor? {
        guard case .mapping(let entries) = node.content else { return nil }
        return entries.first { $0.key == key }.map { child($0.value, key: key) }
    }
}
