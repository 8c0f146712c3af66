import Bytes
import JSONBytes

/// JSON with the members of objects in order, as dialects that sign a JSON body want it.
enum SortedJSON {
    enum Form {
        /// By the bytes of the names; numbers and strings stay as they were written.
        case asWritten
        /// RFC 8785.
        case canonical
    }

    private static let depthLimit = 512

    static func append(
        _ value: Value, as form: Form = .asWritten, depth: Int = 0, to output: inout [UInt8]
    ) throws(EvaluationError) {
        guard depth < depthLimit else { throw EvaluationError(.tooLarge) }
        if let map = value.asMap {
            output.append(UInt8(ascii: "{"))
            for (index, member) in try members(map, of: value, form).enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                output.append(UInt8(ascii: "\""))
                if form == .canonical {
                    CanonicalScalar.appendEscaped(member.key[...], to: &output)
                } else {
                    JSONText.appendEscaped(member.key.span, to: &output)
                }
                output.append(UInt8(ascii: "\""))
                output.append(UInt8(ascii: ":"))
                try append(member.value, as: form, depth: depth + 1, to: &output)
            }
            output.append(UInt8(ascii: "}"))
        } else if let elements = value.elements {
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                try append(element, as: form, depth: depth + 1, to: &output)
            }
            output.append(UInt8(ascii: "]"))
        } else if form == .canonical {
            try CanonicalScalar.append(value, to: &output)
        } else {
            value.appendJSON(to: &output)
        }
    }

    /// RFC 8785 is for I-JSON: a name that comes twice, or is half a character, has no canonical form.
    private static func requireInteroperable(_ value: Value, _ map: MapValue) throws(EvaluationError) {
        guard case .json(let json) = value else { return }
        if json.count != map.count, let name = json.duplicateName {
            throw .argument("JSON with unique names (\(name) comes twice)")
        }
        guard json.members.allSatisfy({ !$0.key.hasLoneSurrogate }) else {
            throw .argument("JSON with names of whole characters")
        }
    }

    private static func members(
        _ map: MapValue, of value: Value, _ form: Form
    ) throws(EvaluationError) -> [(key: [UInt8], value: Value)] {
        if form == .canonical { try requireInteroperable(value, map) }
        var members: [(key: [UInt8], value: Value)] = []
        for entry in map.entries {
            var key: [UInt8] = []
            entry.key.appendText(to: &key)
            members.append((key, entry.value))
        }
        members.sort { a, b in
            form == .canonical
                ? CanonicalScalar.precedes(a.key, b.key) : Value.order(a.key.span, b.key.span) == .less
        }
        return members
    }
}
