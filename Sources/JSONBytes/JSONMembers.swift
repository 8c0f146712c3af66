/// The members of an object, in order, duplicates included.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var index: Int
    private let end: Int

    init(of value: JSONValue) {
        document = value.document
        index = Int(value.node) + 1
        end = value.kind == .object ? Int(value.header.next) : index
    }

    package mutating func next() -> JSONMember? {
        guard index < end else { return nil }
        let member = JSONMember(
            key: JSONValue(document: document, node: index), value: JSONValue(document: document, node: index + 1))
        index = Int(document.nodes[index + 1].next)
        return member
    }
}

/// One member of an object. The key is a string value: `key.raw` as received, `key.text` unescaped, `key.equals(_:)`.
package struct JSONMember: Sendable {
    package let key: JSONValue
    package let value: JSONValue
}
