/// Structured field values (RFC 9651), as `Content-Digest`, `Signature-Input` and others are written.
extension FunctionTable {
    static let structured: [Function] = [
        Function(
            "sf.item(dyn) -> string",
            summary:
                "A bare item of a structured field (RFC 9651 3.3): a string quoted, bytes as `:base64:`, a number, a "
                + "flag as `?1`, a timestamp as `@seconds`.",
            example: "sf.item('a\"b') == '\"a\\\\\"b\"' && sf.item(b'hi') == ':aGk=:' && sf.item(true) == '?1'",
            body: .unary { value throws(EvaluationError) in
                var output: [UInt8] = []
                try StructuredField.appendItem(value, to: &output)
                return .text(output)
            }),
        Function(
            "sf.innerList(list) -> string", summary: "Items in parentheses (RFC 9651 3.1.1).",
            example: "sf.innerList(['@method', 'date']) == '(\"@method\" \"date\")'",
            body: .unary { list throws(EvaluationError) in
                var output: [UInt8] = []
                try StructuredField.appendInnerList(try list.requireList(), to: &output)
                return .text(output)
            }),
        Function(
            "sf.parameters(map) -> string", summary: "Parameters, each with `;` before it (RFC 9651 3.1.2).",
            example: "sf.parameters({'created': 1, 'keyid': 'k', 'bs': true}) == ';created=1;keyid=\"k\";bs'",
            body: .unary { map throws(EvaluationError) in .text(try StructuredField.parameters(map)) }),
        Function(
            "sf.dictionary(map) -> string", summary: "A dictionary (RFC 9651 3.2); a list inside is an inner list.",
            example: "sf.dictionary({'sha-256': b'hi', 'sig1': ['date']}) == 'sha-256=:aGk=:, sig1=(\"date\")'",
            body: .unary { map throws(EvaluationError) in .text(try StructuredField.dictionary(map)) }),
    ]
}
