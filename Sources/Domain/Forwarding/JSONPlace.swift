import Bytes
import JSONBytes

/// Where a member of a JSON body stands: `token` is one right at the root, `/head/token` a JSON pointer (RFC 6901) to one
/// inside an object inside it, `/params/0` to the first element of a list that the client has sent.
package struct JSONPlace: Sendable, Equatable {
    /// Most objects within objects.
    private static let mostLevels = 32

    /// As written.
    let text: [UInt8]
    /// Names of the objects on the way, from the root.
    let parents: [[UInt8]]
    let name: [UInt8]

    /// All of it, from the root.
    package var way: [[UInt8]] { parents + [name] }

    /// `nil` when the text begins with `/` and is no JSON pointer, or is too deep.
    package init?(_ text: [UInt8]) {
        self.text = text
        guard text.first == 0x2F else {
            (parents, name) = ([], text)
            return
        }
        guard var steps = Self.steps(of: text), let last = steps.popLast(), steps.count < Self.mostLevels else {
            return nil
        }
        (parents, name) = (steps, last)
    }

    /// The steps of a JSON pointer, which begins with `/`; `nil` when it is none.
    static func steps(of pointer: [UInt8]) -> [[UInt8]]? {
        var steps: [[UInt8]] = []
        for token in pointer.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false) {
            guard let step = JSONValue.unescaped(token.span) else { return nil }
            steps.append(step)
        }
        return steps
    }

    /// Position in a list that a step means (RFC 6901 4); `nil`: it means none.
    static func position(_ step: [UInt8]) -> Int? {
        guard let first = step.first, first != 0x30 || step.count == 1, step.count < 10 else { return nil }
        return step.allSatisfy(ASCII.isDigit) ? step.reduce(0) { $0 * 10 + Int($1 & 0x0F) } : nil
    }

    /// What a step leads to in an object or a list.
    static func inner(_ value: JSONValue, _ step: [UInt8]) -> JSONValue? {
        guard value.kind == .array else { return value.member(step.span) }
        return position(step).flatMap { value.element(at: $0) }
    }

    package static func == (a: JSONPlace, b: JSONPlace) -> Bool { a.parents == b.parents && a.name == b.name }

    /// The member is there.
    func isTaken(in root: JSONValue) -> Bool {
        var value = root
        for step in parents {
            guard let inner = Self.inner(value, step) else { return false }
            value = inner
        }
        return Self.inner(value, name) != nil
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
