import Bytes

/// Writes structured fields; what they cannot hold is an error.
enum StructuredField {
    private static let largestInteger: Int64 = 999_999_999_999_999

    static func appendItem(_ value: Value, to output: inout [UInt8]) throws(EvaluationError) {
        switch value.resolved {
        case .string(let text):
            guard text.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { throw .argument("a structured string is ASCII") }
            output.append(UInt8(ascii: "\""))
            for byte in text {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
                output.append(byte)
            }
            output.append(UInt8(ascii: "\""))
        case .bytes(let bytes):
            output.append(UInt8(ascii: ":"))
            output.append(contentsOf: Value.base64(bytes))
            output.append(UInt8(ascii: ":"))
        case .int(let number):
            guard number.magnitude <= UInt64(largestInteger) else { throw .argument("a structured integer") }
            output.append(decimal: number)
        case .double(let number):
            guard number.magnitude < 1e12 else { throw .argument("a structured decimal") }
            var text: [UInt8] = []
            DecimalText.append(fixed: number, decimals: 3, to: &text)
            while text.last == UInt8(ascii: "0"), text.dropLast().last != UInt8(ascii: ".") { text.removeLast() }
            output += text
        case .bool(let flag): output.append(contentsOf: flag ? "?1".utf8 : "?0".utf8)
        case .timestamp(let time):
            output.append(UInt8(ascii: "@"))
            output.append(decimal: time.seconds)
        default: throw .overload(value)
        }
    }

    static func appendInnerList(_ items: [Value], to output: inout [UInt8]) throws(EvaluationError) {
        output.append(UInt8(ascii: "("))
        for (index, item) in items.enumerated() {
            if index > 0 { output.append(UInt8(ascii: " ")) }
            try appendItem(item, to: &output)
        }
        output.append(UInt8(ascii: ")"))
    }

    static func parameters(_ value: Value) throws(EvaluationError) -> [UInt8] {
        guard let members = value.asMap else { throw .overload(value) }
        var output: [UInt8] = []
        for entry in members.entries {
            output.append(UInt8(ascii: ";"))
            try appendMember(entry.key, entry.value, to: &output)
        }
        return output
    }

    static func dictionary(_ value: Value) throws(EvaluationError) -> [UInt8] {
        guard let members = value.asMap else { throw .overload(value) }
        var output: [UInt8] = []
        for entry in members.entries {
            if !output.isEmpty { output.append(contentsOf: ", ".utf8) }
            try appendMember(entry.key, entry.value, to: &output)
        }
        return output
    }

    private static func appendMember(_ key: Value, _ value: Value, to output: inout [UInt8]) throws(EvaluationError) {
        let name = try key.requireString()
        guard let first = name.first,
            first == UInt8(ascii: "*") || (ASCII.isAlpha(first) && ASCII.lower(first) == first),
            name.allSatisfy(isKeyByte)
        else { throw .argument("a structured key is lower case") }
        output.append(copying: name.span)
        if value.bool == true { return }
        output.append(UInt8(ascii: "="))
        if let items = value.elements { return try appendInnerList(items, to: &output) }
        try appendItem(value, to: &output)
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (ASCII.isAlpha(byte) && ASCII.lower(byte) == byte)
            || "_-.*".utf8.contains(byte)
    }
}
