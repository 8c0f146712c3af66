import Bytes
import JSONBytes

/// JSON texts that two sides can agree on, and objects put together.
extension FunctionTable {
    static let jsonForms: [Function] = [
        Function(
            "json.canonical(dyn) -> string",
            summary:
                "The value as canonical JSON (RFC 8785): no blanks, members in the order of UTF-16, numbers and escapes as "
                + "ECMAScript writes them. An error where it has no such form: a name twice, half a character, a number "
                + "beyond a double.",
            example: "json.canonical({'b': 1.50, 'a': 100.0}) == '{\"a\":100,\"b\":1.5}'",
            body: .unary { value throws(EvaluationError) in
                var output: [UInt8] = []
                try SortedJSON.append(value, as: .canonical, to: &output)
                return .text(output)
            }),
        Function(
            "json.minify(dyn) -> string",
            summary: "The value as JSON text without blanks: order, numbers and strings as they were written.",
            example:
                "json.minify(json.decode('{ \"b\": [1.50, \"x y\"], \"a\": 1 }')) == '{\"b\":[1.50,\"x y\"],\"a\":1}'",
            body: .unary { value throws(EvaluationError) in
                var text: [UInt8] = []
                value.appendJSON(to: &text)
                return .text(minified(text))
            }),
        Function(
            "json.merge(map, map) -> map",
            summary:
                "The members of both; where both have one of a name, the second's value in the first's place. Not deeper: "
                + "merge what is inside by itself.",
            example: "json.merge({'a': 1, 'b': 2}, {'a': 3, 'c': 4}) == {'a': 3, 'b': 2, 'c': 4}",
            body: .binary { first, second throws(EvaluationError) in
                guard var all = first.asMap, let more = second.asMap else { throw .overload(first, second) }
                for entry in more.entries { _ = all.insert(entry.value, for: entry.key) }
                return .map(all)
            }),
        Function(
            "pairs.flatten(dyn, string) -> list",
            summary:
                "The plain values inside a value as records `{name, value}`, named as `nested` of a route's `request` names "
                + "them: `'dots'` `a.b[0].c`, `'brackets'` `a[b][0][c]`. Empty lists and objects are left out; the values "
                + "keep their types, so that `.filter(p, p.value != null)` leaves out nulls.",
            example:
                "pairs.join(pairs.flatten({'a': {'b': [1, {'c': true}]}}, 'dots'), '=', '&') == 'a.b[0]=1&a.b[1].c=true'",
            body: .binary { value, style throws(EvaluationError) in
                guard let style = Flattening(rawValue: String(decoding: try style.requireString(), as: UTF8.self))
                else {
                    throw .argument("names: dots or brackets")
                }
                return try flat(value, style)
            }),
    ]

    /// Blanks go; those in strings stay.
    private static func minified(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var (inString, isEscaped) = (false, false)
        for byte in text {
            if inString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                inString = true
            } else if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
                continue
            }
            output.append(byte)
        }
        return output
    }

    private static func flat(_ value: Value, _ style: Flattening) throws(EvaluationError) -> Value {
        guard let json = value.container else { throw .overload(value) }
        var (records, size): ([Value], Int) = ([], 0)
        try style.walk(json, named: [], tooDeep: EvaluationError(.tooLarge)) { name, leaf throws(EvaluationError) in
            // The name of an inner value holds those of all the outer ones.
            size += name.count
            guard records.count < Function.elementLimit, size < Function.outputLimit else {
                throw EvaluationError(.tooLarge)
            }
            records.append(.map(MapValue([("name", .text(name)), ("value", .json(leaf))])))
        }
        return .list(records)
    }
}
