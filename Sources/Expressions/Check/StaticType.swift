/// What is known about a value before it exists. `dyn` means nothing is known (JSON, say).
package indirect enum StaticType: Sendable, Equatable {
    case dyn, null, bool, int, uint, double, string, bytes, timestamp, duration, type
    case list(StaticType)
    /// A map from anything (usually strings) to this type.
    case map(StaticType)
    case optional(StaticType)
    /// A list of `{name, value}` records with look-up by name.
    case pairs
    case pair
    case object(ObjectType)

    /// Part of a JSON document.
    package static var json: StaticType { .dyn }

    /// How messages and the manual call it.
    package var name: String {
        switch self {
        case .dyn: "dyn"
        case .null: "null"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .timestamp: "timestamp"
        case .duration: "duration"
        case .type: "type"
        case .list(.dyn): "list"
        case .list(let element): "list(\(element.name))"
        case .map(.dyn): "map"
        case .map(let value): "map(\(value.name))"
        case .optional(.dyn): "optional"
        case .optional(let wrapped): "optional(\(wrapped.name))"
        case .pairs: "pairs"
        case .pair: "pair"
        case .object(let object): object.name
        }
    }

    var isNumeric: Bool { self == .int || self == .uint || self == .double }

    /// Whether a value of this type can be one of the other; false only when it is certain that it cannot.
    func couldBe(_ other: StaticType) -> Bool {
        switch (self, other) {
        case (.dyn, _), (_, .dyn): true
        case (.list(let a), .list(let b)), (.map(let a), .map(let b)), (.optional(let a), .optional(let b)):
            a.couldBe(b)
        case (.pairs, .list(let element)), (.list(let element), .pairs): StaticType.pair.couldBe(element)
        case (.pair, .map(let value)), (.map(let value), .pair): StaticType.string.couldBe(value)
        default: self == other
        }
    }

    /// Whether `==` can ever hold: numbers compare across types, and null may be anything's absence.
    func isComparable(with other: StaticType) -> Bool {
        couldBe(other) || (isNumeric && other.isNumeric) || self == .null || other == .null
    }

    /// The type of a value that is one or the other.
    func joined(with other: StaticType) -> StaticType { self == other ? self : .dyn }

    /// Type of what a comprehension or an index finds inside.
    var element: StaticType {
        switch self {
        case .list(let element): element
        case .pairs: .pair
        default: .dyn
        }
    }
}
