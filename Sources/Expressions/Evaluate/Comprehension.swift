/// A macro over the elements of a list or the keys of a map.
final class Comprehension: Sendable {
    enum Kind: Sendable { case all, exists, existsOne, filter, map, sortBy, transformMap, transformMapEntry, reduce }

    /// What `reduce` carries from element to element.
    struct Result: Sendable {
        let slot: Int
        /// Before the first element.
        let first: Node
    }

    let kind: Kind
    let range: Node
    /// Slot of the element (of the index or key, when there is a second variable).
    let slot: Int
    /// Slot of the value in the forms with two variables.
    let valueSlot: Int?
    /// Elements for which this is false are left out.
    let filter: Node?
    let body: Node
    /// Only of `reduce`.
    let result: Result?
    let offset: Int

    init(
        _ kind: Kind, over range: Node, slot: Int, valueSlot: Int?, filter: Node?, body: Node, result: Result? = nil,
        at offset: Int
    ) {
        self.result = result
        self.kind = kind
        self.range = range
        self.slot = slot
        self.valueSlot = valueSlot
        self.filter = filter
        self.body = body
        self.offset = offset
    }
}
