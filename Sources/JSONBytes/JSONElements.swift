/// The elements of an array, in order.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var index: Int
    private let end: Int

    init(of value: JSONValue) {
        document = value.document
        index = Int(value.node) + 1
        end = value.kind == .array ? Int(value.header.next) : index
    }

    package mutating func next() -> JSONValue? {
        guard index < end else { return nil }
        let value = JSONValue(document: document, node: index)
        index = Int(document.nodes[index].next)
        return value
    }
}
