/// A type as a value: what `type(x)` yields, and the names `int`, `string` ... denote.
package struct TypeName: Sendable, Hashable {
    package let name: String
    package init(_ name: String) { self.name = name }

    static let null = TypeName("null_type")
    static let bool = TypeName("bool")
    static let int = TypeName("int")
    static let uint = TypeName("uint")
    static let double = TypeName("double")
    static let string = TypeName("string")
    static let bytes = TypeName("bytes")
    static let list = TypeName("list")
    static let map = TypeName("map")
    static let timestamp = TypeName("google.protobuf.Timestamp")
    static let duration = TypeName("google.protobuf.Duration")
    static let type = TypeName("type")
    static let optional = TypeName("optional_type")

    /// The type that an identifier denotes when no variable has that name.
    static func denoted(by name: String) -> TypeName? {
        switch name {
        case "null_type", "bool", "int", "uint", "double", "string", "bytes", "list", "map", "type", "optional_type":
            TypeName(name)
        case "google.protobuf.Timestamp": .timestamp
        case "google.protobuf.Duration": .duration
        default: nil
        }
    }
}
