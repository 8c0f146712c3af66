package import Bytes
package import JSONBytes

/// A value of the Common Expression Language, and the views of a request that behave like one.
///
/// Not `Sendable`: a value may hold a host object, which lives on one event loop. What a compiled expression keeps is a
/// `Constant`.
package enum Value {
    case null
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    /// UTF-8; a peer's bytes are taken as they are, so it may be invalid UTF-8.
    case string(ArraySlice<UInt8>)
    case bytes(ArraySlice<UInt8>)
    case list([Value])
    case map(MapValue)
    case timestamp(Timestamp)
    case duration(nanoseconds: Int64)
    case type(TypeName)
    indirect case optional(Value?)
    /// Part of a JSON document, decoded when it is looked at; behaves as the value it denotes. A number keeps its
    /// token.
    case json(JSONValue)
    /// A list of `{name, value}` records that can also be indexed by a name (the first wins); `folding` ignores the
    /// case of ASCII letters in names (header fields).
    case pairs(PairBlock, folding: Bool)
    /// One record of `pairs`.
    case pair(PairRecord)
    case object(any HostObject)

    /// A string value, copied from Swift text.
    package static func text(_ text: String) -> Value { .string(ArraySlice(text.utf8)) }

    /// A string value that takes the array over.
    package static func text(_ bytes: [UInt8]) -> Value { .string(bytes[...]) }

    /// The plain value that a JSON scalar denotes; JSON arrays and objects stay as they are.
    package var resolved: Value {
        guard case .json(let json) = self else { return self }
        return Value.scalar(json) ?? self
    }

    /// The bytes of a string or of bytes, also inside JSON; `nil` for any other type.
    package var contents: ArraySlice<UInt8>? {
        switch resolved {
        case .string(let text): text
        case .bytes(let bytes): bytes
        default: nil
        }
    }

    /// The bytes of a string, also inside JSON; `nil` for any other type.
    package var string: ArraySlice<UInt8>? {
        if case .string(let text) = resolved { text } else { nil }
    }

    /// The truth value, also inside JSON; `nil` for any other type.
    package var bool: Bool? {
        if case .bool(let flag) = resolved { flag } else { nil }
    }

    /// The integer, also inside JSON; `nil` for any other type (a double is not an integer).
    package var int: Int64? {
        if case .int(let number) = resolved { number } else { nil }
    }

    /// Empty optional, or null: there is nothing to show.
    package var isAbsent: Bool {
        switch self {
        case .null, .optional(nil): true
        case .json(let json): json.kind == .null
        default: false
        }
    }

    /// Name of the type, as `type()` gives it. Safe to show: it depends on no content.
    package var typeName: TypeName {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .uint: .uint
        case .double: .double
        case .string: .string
        case .bytes: .bytes
        case .list, .pairs: .list
        case .map, .pair: .map
        case .timestamp: .timestamp
        case .duration: .duration
        case .type: .type
        case .optional: .optional
        case .json(let json): Value.typeName(of: json)
        case .object(let object): TypeName(object.objectType.name)
        }
    }

    /// Whether it has elements or members.
    var hasParts: Bool {
        switch self {
        case .list, .map, .pairs, .pair: true
        case .json(let json): json.kind == .array || json.kind == .object
        default: false
        }
    }
}
