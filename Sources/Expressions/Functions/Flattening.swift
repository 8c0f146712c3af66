import Bytes
package import JSONBytes

/// How a value within a value gets a name of its own in a flat list of fields.
package enum Flattening: String, Sendable {
    /// `a.b=1&c[0]=2`: Spring, ASP.NET.
    case dots
    /// `a[b]=1&c[]=2`: PHP, Rails, jQuery.
    case brackets

    /// Most levels of values within values.
    package static let mostLevels = 32

    /// Every plain value (null, too) with its name, in the order of the document. An empty list or object has none.
    /// - Parameter tooDeep: is thrown when there are more levels.
    package func walk<Failure: Error>(
        _ json: JSONValue, named name: [UInt8], tooDeep: Failure,
        _ body: ([UInt8], JSONValue) throws(Failure) -> Void
    ) throws(Failure) {
        try walk(json, name, level: 0, tooDeep, body)
    }

    private func walk<Failure: Error>(
        _ json: JSONValue, _ name: [UInt8], level: Int, _ tooDeep: Failure,
        _ body: ([UInt8], JSONValue) throws(Failure) -> Void
    ) throws(Failure) {
        guard level < Self.mostLevels else { throw tooDeep }
        switch json.kind {
        case .object:
            for member in json.members {
                let inner = self.name(Array(member.key.text ?? []), in: name)
                try walk(member.value, inner, level: level + 1, tooDeep, body)
            }
        case .array:
            var index: UInt64 = 0
            for element in json.elements {
                let isPlain = element.kind != .object && element.kind != .array
                var inner = name
                inner.append(0x5B)
                // Plain values in brackets need no number; a record's fields must stay together.
                if self == .dots || !isPlain { inner.append(decimal: index) }
                inner.append(0x5D)
                index += 1
                try walk(element, inner, level: level + 1, tooDeep, body)
            }
        case .null, .bool, .number, .string: try body(name, json)
        }
    }

    private func name(_ key: [UInt8], in outer: [UInt8]) -> [UInt8] {
        if outer.isEmpty { return key }
        return self == .dots ? outer + [0x2E] + key : outer + [0x5B] + key + [0x5D]
    }
}

extension Value {
    /// The list or object that this is, as JSON; `nil` for a plain value.
    package var container: JSONValue? {
        switch self {
        case .json(let json): return json.kind == .object || json.kind == .array ? json : nil
        case .optional(let inner): return inner?.container
        case .list, .map, .pairs, .pair:
            var text: [UInt8] = []
            appendJSON(to: &text)
            return try? JSONDocument(parsing: text).root
        default: return nil
        }
    }
}
