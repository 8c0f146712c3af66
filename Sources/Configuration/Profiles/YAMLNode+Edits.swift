/// Changes to trees; every one makes new nodes. Trees are at most `YAMLDocument.deepest` levels deep, so recursion is fine.
extension YAMLNode {
    static func scalar(_ text: String, at position: SourcePosition) -> YAMLNode {
        YAMLNode(
            content: .scalar(YAMLScalar(text: text, style: .doubleQuoted)), position: position, weight: 1, height: 0)
    }

    static func sequence(_ items: [YAMLNode], at position: SourcePosition) -> YAMLNode {
        YAMLNode(
            content: .sequence(items), position: position, weight: items.reduce(1) { $0 + $1.weight },
            height: (items.map(\.height).max() ?? -1) + 1)
    }

    static func mapping(_ entries: [YAMLEntry], at position: SourcePosition) -> YAMLNode {
        YAMLNode(
            content: .mapping(entries), position: position, weight: entries.reduce(1) { $0 + $1.value.weight },
            height: (entries.map(\.value.height).max() ?? -1) + 1)
    }

    /// The entries of a mapping; none for anything else.
    var entries: [YAMLEntry] {
        if case .mapping(let entries) = content { return entries }
        return []
    }

    subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    /// The mapping with a key set; a new one comes last.
    func setting(_ key: String, to value: YAMLNode) -> YAMLNode {
        var entries = entries
        if let index = entries.firstIndex(where: { $0.key == key }) {
            entries[index].value = value
        } else {
            entries.append(YAMLEntry(key: key, keyPosition: value.position, value: value))
        }
        return .mapping(entries, at: position)
    }

    /// The mapping without a key.
    func removing(_ key: String) -> YAMLNode { .mapping(entries.filter { $0.key != key }, at: position) }

    /// This tree with `other` over it: mappings are merged key by key and keep this order, anything else is replaced, and
    /// `null` takes a key away.
    func merged(with other: YAMLNode) -> YAMLNode {
        guard case .mapping(var result) = content, case .mapping(let changes) = other.content else { return other }
        for change in changes {
            if let index = result.firstIndex(where: { $0.key == change.key }) {
                if change.value.isNull {
                    result.remove(at: index)
                    continue
                }
                let value = result[index].value.merged(with: change.value)
                result[index] = YAMLEntry(key: change.key, keyPosition: change.keyPosition, value: value)
            } else {
                result.append(change)
            }
        }
        return .mapping(result, at: other.position)
    }

    /// The tree with other places.
    func placed(in profile: ProfileText) -> YAMLNode {
        let place = { (old: SourcePosition) in SourcePosition(line: old.line, column: old.column, profile: profile) }
        return map(place: place, key: { $0 }, scalar: { $0 }) ?? self
    }

    /// The tree with other scalars, keys and places. A scalar that becomes `nil` goes, and its key with it.
    func map(
        place: (SourcePosition) -> SourcePosition, key: (String) -> String, scalar: (YAMLScalar) -> YAMLScalar?
    ) -> YAMLNode? {
        let changed: Content
        switch content {
        case .scalar(let text):
            guard let text = scalar(text) else { return nil }
            changed = .scalar(text)
        case .sequence(let items):
            changed = .sequence(items.compactMap { $0.map(place: place, key: key, scalar: scalar) })
        case .mapping(let entries):
            changed = .mapping(
                entries.compactMap { entry in
                    guard let value = entry.value.map(place: place, key: key, scalar: scalar) else { return nil }
                    return YAMLEntry(key: key(entry.key), keyPosition: place(entry.keyPosition), value: value)
                })
        }
        return YAMLNode(content: changed, position: place(position), weight: weight, height: height)
    }
}
