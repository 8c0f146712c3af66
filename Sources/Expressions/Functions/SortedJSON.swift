import JSONBytes

/// JSON with the members of objects in order, as dialects that sign a JSON body want it.
enum SortedJSON {
    private static let depthLimit = 512

    static func append(_ value: Value, depth: Int, to output: inout [UInt8]) throws(EvaluationError) {
        guard depth < depthLimit else { throw EvaluationError(.tooLarge) }
        if let map = value.asMap {
            var members: [(key: [UInt8], value: Value)] = []
            for entry in map.entries {
                var key: [UInt8] = []
                entry.key.appendText(to: &key)
                members.append((key, entry.value))
            }
            members.sort { Value.order($0.key.span, $1.key.span) == .less }
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                output.append(UInt8(ascii: "\""))
                JSONText.appendEscaped(member.key.span, to: &output)
                output.append(UInt8(ascii: "\""))
                output.append(UInt8(ascii: ":"))
                try append(member.value, depth: depth + 1, to: &output)
            }
            output.append(UInt8(ascii: "}"))
        } else if let elements = value.elements {
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                try append(element, depth: depth + 1, to: &output)
            }
            output.append(UInt8(ascii: "]"))
        } else {
            value.appendJSON(to: &output)
        }
    }
}
