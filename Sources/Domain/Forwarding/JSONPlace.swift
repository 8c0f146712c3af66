import Bytes
import JSONBytes

/// Where a member of a JSON body stands: `token` is one right at the root, `/head/token` a JSON pointer (RFC 6901) to one
/// inside an object inside it. Objects only: a list has no place with a name.
package struct JSONPlace: Sendable, Equatable {
    /// Most objects within objects.
    private static let mostLevels = 32

    /// As written.
    let text: [UInt8]
    /// Names of the objects on the way, from the root.
    let parents: [[UInt8]]
    let name: [UInt8]

    /// `nil` when the text begins with `/` and is no JSON pointer, or is too deep.
    package init?(_ text: [UInt8]) {
        self.text = text
        guard text.first == 0x2F else {
            (parents, name) = ([], text)
            return
        }
        var steps: [[UInt8]] = []
        for token in text.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false) {
            guard let step = JSONValue.unescaped(token.span) else { return nil }
            steps.append(step)
        }
        guard let last = steps.popLast(), steps.count < Self.mostLevels else { return nil }
        (parents, name) = (steps, last)
    }

    package static func == (a: JSONPlace, b: JSONPlace) -> Bool { a.parents == b.parents && a.name == b.name }

    /// The member is there.
    func isTaken(in root: JSONValue) -> Bool {
        var value = root
        for step in parents {
            guard let inner = value.member(step.span) else { return false }
            value = inner
        }
        return value.member(name.span) != nil
    }

    /// The same places by their objects, in order.
    static func groups<Item>(_ items: [Item], _ place: (Item) -> JSONPlace) -> [(parents: [[UInt8]], items: [Item])] {
        var groups: [(parents: [[UInt8]], items: [Item])] = []
        for item in items {
            let parents = place(item).parents
            if let index = groups.firstIndex(where: { $0.parents == parents }) {
                groups[index].items.append(item)
            } else {
                groups.append((parents, [item]))
            }
        }
        return groups
    }
}
