import Bytes
package import Expressions
package import JSONBytes

/// A captured value at rest: it crosses threads (a `Value` may hold host objects, which may not), and it holds its own
/// bytes, so that a token does not keep a whole login answer in memory.
package enum CapturedValue: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    case string([UInt8])
    case bytes([UInt8])
    case timestamp(Timestamp)
    case duration(nanoseconds: Int64)
    /// A JSON number (its token survives), array or object, as a document of its own.
    case json(JSONDocument)

    /// Lists, maps and records become JSON; what has no JSON becomes null.
    package init(_ value: Value) {
        if case .json(let json) = value, json.kind != .string {
            self = Self.detached(Array(json.raw))
            return
        }
        switch value.resolved {
        case .null, .type, .object, .optional(nil): self = .null
        case .bool(let flag): self = .bool(flag)
        case .int(let number): self = .int(number)
        case .uint(let number): self = .uint(number)
        case .double(let number): self = .double(number)
        case .string(let text): self = .string(Array(text))
        case .bytes(let bytes): self = .bytes(Array(bytes))
        case .timestamp(let time): self = .timestamp(time)
        case .duration(let nanoseconds): self = .duration(nanoseconds: nanoseconds)
        case .optional(.some(let inner)): self = CapturedValue(inner)
        case .list, .map, .json, .pairs, .pair:
            var text: [UInt8] = []
            value.appendJSON(to: &text)
            self = Self.detached(text)
        }
    }

    package var value: Value {
        switch self {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .int(let number): .int(number)
        case .uint(let number): .uint(number)
        case .double(let number): .double(number)
        case .string(let text): .string(text[...])
        case .bytes(let bytes): .bytes(bytes[...])
        case .timestamp(let time): .timestamp(time)
        case .duration(let nanoseconds): .duration(nanoseconds: nanoseconds)
        case .json(let document): .json(document.root)
        }
    }

    package var isNull: Bool {
        switch self {
        case .null: true
        case .json(let document): document.root.isNull
        case .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration: false
        }
    }

    private static func detached(_ text: [UInt8]) -> CapturedValue {
        (try? JSONDocument(parsing: text)).map { .json($0) } ?? .null
    }
}

/// A capture never prints itself: it may be a token.
extension CapturedValue: CustomStringConvertible, CustomReflectable {
    package var description: String { "***" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
