import Bytes
import JSONBytes

/// Walks the elements of a list or the keys of a map, without copying them into an array.
struct ElementCursor {
    private enum Source {
        case list([Value])
        /// Of `block`.
        case pairs
        case array(JSONElements)
        case object(JSONMembers)
        case keys(MapValue)
    }

    private var source: Source
    /// Beside the source: a look at one pair copies no reference then.
    private var block = PairBlock()
    private var index = 0
    /// Number of elements to come at the start, or more.
    let count: Int

    /// `nil` when the value can not be walked.
    init?(_ value: Value) {
        switch value {
        case .list(let elements): (source, count) = (.list(elements), elements.count)
        case .pairs(let pairs, _): (source, block, count) = (.pairs, pairs, pairs.count)
        case .map(let map): (source, count) = (.keys(map), map.count)
        case .pair:
            guard let map = value.asMap else { return nil }
            (source, count) = (.keys(map), map.count)
        case .json(let json):
            switch json.kind {
            case .array: (source, count) = (.array(json.elements), json.mostCount)
            case .object: (source, count) = (.object(json.members), json.mostCount)
            default: return nil
            }
        default: return nil
        }
    }

    mutating func next() -> Value? {
        switch source {
        case .list(let elements):
            guard index < elements.count else { return nil }
            index += 1
            return elements[index - 1]
        case .pairs:
            guard index < count else { return nil }
            index += 1
            return .pair(block.record(at: index - 1))
        case .keys(let map):
            guard index < map.count else { return nil }
            index += 1
            return map.entries[index - 1].key
        case .array(var elements):
            guard let element = elements.next() else { return nil }
            source = .array(elements)
            return .json(element)
        case .object(var members):
            guard let member = members.next() else { return nil }
            source = .object(members)
            return .json(member.key)
        }
    }

    /// Puts the next element into a slot; false at the end.
    mutating func next(into slots: inout Slots, at slot: Int) -> Bool {
        guard case .pairs = source else {
            guard let element = next() else { return false }
            slots[slot] = element
            return true
        }
        guard index < count else { return false }
        if index == 0 { slots.begin(pairsIn: block.bytes, at: slot) }
        slots.move(to: block.entries[index], in: block.bytes, at: slot)
        index += 1
        return true
    }

    /// As `next` for a map, with the value. Looking the value up by its key would take as long as the object is.
    mutating func nextMember() -> (key: Value, value: Value)? {
        switch source {
        case .keys(let map):
            guard index < map.count else { return nil }
            index += 1
            return map.entries[index - 1]
        case .object(var members):
            guard let member = members.next() else { return nil }
            source = .object(members)
            return (.json(member.key), .json(member.value))
        case .list, .pairs, .array: return nil
        }
    }
}
