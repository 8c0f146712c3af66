/// One node of the tree. An alias shares the node of its anchor, so its issues point at the anchor's text.
package final class YAMLNode: Sendable {
    package enum Content: Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        /// In the order of the file; keys are unique.
        case mapping([YAMLEntry])
    }

    package let content: Content
    package let position: SourcePosition
    /// Nodes of the subtree with aliases expanded.
    let weight: Int
    /// Levels of the subtree; a scalar is 0.
    let height: Int

    init(content: Content, position: SourcePosition, weight: Int, height: Int) {
        self.content = content
        self.position = position
        self.weight = weight
        self.height = height
    }

    package var isNull: Bool {
        if case .scalar(let scalar) = content { return scalar.isNull }
        return false
    }

    /// For messages: `a list`, `a mapping`, `text`.
    var kindName: String {
        switch content {
        case .scalar: "a single value"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
