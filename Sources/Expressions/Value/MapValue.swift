import Bytes

/// A CEL map: keys are bool, int, uint or string, in the order written. Numeric keys that are equal are one key
/// (`{1: 'a'}[1u]` is `'a'`).
package struct MapValue {
    /// A key in its canonical form.
    enum Key: Hashable {
        case bool(Bool)
        case int(Int64)
        case uint(UInt64)
        case string(ArraySlice<UInt8>)

        /// `nil` when a value of this type cannot be a key. A double counts as the integer that it equals.
        init?(_ value: Value) {
            switch value.resolved {
            case .bool(let flag): self = .bool(flag)
            case .int(let number): self = .int(number)
            case .uint(let number): self = Int64(exactly: number).map { .int($0) } ?? .uint(number)
            case .double(let number):
                if let exact = Int64(exactly: number) {
                    self = .int(exact)
                } else if let exact = UInt64(exactly: number) {
                    self = .uint(exact)
                } else {
                    return nil
                }
            case .string(let text): self = .string(text)
            default: return nil
            }
        }
    }

    package private(set) var entries: [(key: Value, value: Value)] = []
    /// Empty while there are few: records and XML elements are, and there are many of them.
    private var positions: [Key: Int] = [:]
    private static let few = 8

    package init() {}

    /// A map with string keys; a later duplicate replaces the value.
    package init(_ members: [(name: String, value: Value)]) {
        for member in members {
            let key = Value.text(member.name)
            if let known = Key(key) { set(known, key, member.value) }
        }
    }

    package var count: Int { entries.count }

    /// Adds or replaces; false when the key's type is not allowed.
    package mutating func insert(_ value: Value, for key: Value) -> Bool {
        guard let known = Key(key) else { return false }
        set(known, key.resolved, value)
        return true
    }

    package subscript(_ key: Value) -> Value? {
        guard let known = Key(key), let position = position(of: known) else { return nil }
        return entries[position].value
    }

    package subscript(string key: ArraySlice<UInt8>) -> Value? {
        guard let position = position(of: .string(key)) else { return nil }
        return entries[position].value
    }

    func contains(_ key: Key) -> Bool { position(of: key) != nil }

    private func position(of key: Key) -> Int? {
        guard entries.count <= Self.few else { return positions[key] }
        guard case .string(let wanted) = key else { return entries.firstIndex { Key($0.key) == key } }
        return entries.firstIndex { entry in
            guard case .string(let name) = entry.key else { return false }
            return ASCII.equal(name.span, wanted.span)
        }
    }

    private mutating func set(_ known: Key, _ key: Value, _ value: Value) {
        if let position = position(of: known) {
            entries[position].value = value
            return
        }
        entries.append((key, value))
        guard entries.count > Self.few else { return }
        if positions.isEmpty {
            for (index, entry) in entries.enumerated() {
                if let key = Key(entry.key) { positions[key] = index }
            }
        } else {
            positions[known] = entries.count - 1
        }
    }
}

// Said, not inferred: the inference goes round in circles (MapValue, Value, MapValue), and whether the compiler notices
// depends on how it groups the files (Swift 6.3.1).
@available(*, unavailable) extension MapValue: Sendable {}
@available(*, unavailable) extension Value: Sendable {}
