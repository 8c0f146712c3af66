/// A value without parts that a compiled expression keeps. Unlike `Value` it can cross threads.
package enum Constant: Sendable, Equatable {
    case null
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    case string(ArraySlice<UInt8>)
    case bytes(ArraySlice<UInt8>)
    case timestamp(Timestamp)
    case duration(Int64)
    case type(TypeName)

    /// `nil` when the value has parts.
    init?(_ value: Value) {
        switch value.resolved {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .int(let number): self = .int(number)
        case .uint(let number): self = .uint(number)
        case .double(let number): self = .double(number)
        case .string(let text): self = .string(text)
        case .bytes(let bytes): self = .bytes(bytes)
        case .timestamp(let time): self = .timestamp(time)
        case .duration(let nanoseconds): self = .duration(nanoseconds)
        case .type(let name): self = .type(name)
        default: return nil
        }
    }

    var value: Value {
        switch self {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .int(let number): .int(number)
        case .uint(let number): .uint(number)
        case .double(let number): .double(number)
        case .string(let text): .string(text)
        case .bytes(let bytes): .bytes(bytes)
        case .timestamp(let time): .timestamp(time)
        case .duration(let nanoseconds): .duration(nanoseconds: nanoseconds)
        case .type(let name): .type(name)
        }
    }

    var staticType: StaticType {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .uint: .uint
        case .double: .double
        case .string: .string
        case .bytes: .bytes
        case .timestamp: .timestamp
        case .duration: .duration
        case .type: .type
        }
    }
}
