/// One typed field of an operator's log line. The name is a constant; text values pass the redactor.
package struct LogField: Sendable {
    enum Value: Sendable {
        case text(ArraySlice<UInt8>)
        case int(Int64)
        case uint(UInt64)
        case bool(Bool)
        case word(StaticString)
    }

    let name: StaticString
    let value: Value

    package static func text(_ name: StaticString, _ value: [UInt8]) -> LogField {
        LogField(name: name, value: .text(value[...]))
    }
    package static func text(_ name: StaticString, _ value: ArraySlice<UInt8>) -> LogField {
        LogField(name: name, value: .text(value))
    }
    package static func text(_ name: StaticString, _ value: String) -> LogField {
        LogField(name: name, value: .text(Array(value.utf8)[...]))
    }
    /// A constant, which needs no redaction.
    package static func word(_ name: StaticString, _ value: StaticString) -> LogField {
        LogField(name: name, value: .word(value))
    }
    package static func int(_ name: StaticString, _ value: some FixedWidthInteger) -> LogField {
        if let small = Int64(exactly: value) { return LogField(name: name, value: .int(small)) }
        return LogField(name: name, value: .uint(UInt64(clamping: value)))
    }
    package static func bool(_ name: StaticString, _ value: Bool) -> LogField {
        LogField(name: name, value: .bool(value))
    }
}
