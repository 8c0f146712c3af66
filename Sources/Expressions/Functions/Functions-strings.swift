import Bytes

extension FunctionTable {
    static let sizes: [Function] = [
        Function(
            "size(string|bytes|list|map) -> int", summary: "Code points, bytes, elements or entries.",
            example: "size('中文') == 2", body: .unary { value throws(EvaluationError) in try size(value) }),
        Function(
            "(string|bytes|list|map).size() -> int", summary: "As `size(x)`.", example: "[1, 2].size() == 2",
            body: .unary { value throws(EvaluationError) in try size(value) }),
    ]

    private static func size(_ value: Value) throws(EvaluationError) -> Value {
        guard let size = value.size else { throw .overload(value) }
        return .int(Int64(size))
    }

    static let strings: [Function] = [
        Function(
            "(string).contains(string) -> bool", summary: "Whether the text is inside.",
            example: "'tacocat'.contains('oca')",
            body: .binary { text, part throws(EvaluationError) in
                .bool(ByteSearch.first(try part.requireString(), in: try text.requireString()) != nil)
            }),
        Function(
            "(string).startsWith(string) -> bool", summary: "Whether the text begins so.",
            example: "'https://a'.startsWith('https:')",
            body: .binary { text, part throws(EvaluationError) in
                .bool(try text.requireString().starts(with: try part.requireString()))
            }),
        Function(
            "(string).endsWith(string) -> bool", summary: "Whether the text ends so.",
            example: "'a.js'.endsWith('.js')",
            body: .binary { text, part throws(EvaluationError) in
                let (text, part) = (try text.requireString(), try part.requireString())
                let tail = text.suffix(part.count)
                return .bool(ASCII.equal(tail.span, part.span))
            }),
        Function(
            "(string).matches(string) -> bool",
            summary: "Whether the regular expression (RE2 syntax) matches anywhere in the text; linear time.",
            example: "'abc123'.matches('[a-z]+[0-9]+$')", body: matches),
        Function(
            "matches(string, string) -> bool", summary: "As `x.matches(pattern)`.", example: "matches('abc', '^a.c$')",
            body: matches),
        Function(
            "(string).lowerAscii() -> string", summary: "Lower case for the letters A to Z.",
            example: "'TacoCÆt'.lowerAscii() == 'tacocÆt'",
            body: .unary { text throws(EvaluationError) in .text(try text.requireString().map(ASCII.lower)) }),
        Function(
            "(string).upperAscii() -> string", summary: "Upper case for the letters a to z.",
            example: "'abc'.upperAscii() == 'ABC'",
            body: .unary { text throws(EvaluationError) in .text(try text.requireString().map(ASCII.upper)) }),
        Function(
            "(string).trim() -> string", summary: "Without the white space (Unicode) at both ends.",
            example: "'  a b\\n'.trim() == 'a b'",
            body: .unary { text throws(EvaluationError) in .string(Text.trimmed(try text.requireString())) }),
        Function(
            "(string).charAt(int) -> string", summary: "The code point at an index; empty at the very end.",
            example: "'hello'.charAt(4) == 'o'",
            body: .binary { text, index throws(EvaluationError) in
                try Text.character(of: try text.requireString(), at: try index.requireInt())
            }),
        Function(
            "(string).indexOf(string) -> int", "(string).indexOf(string, int) -> int",
            summary: "Index of the first place where the text is found, from an index on; -1 when there is none.",
            example: "'hello mellow'.indexOf('ello', 2) == 7",
            body: .variadic { values throws(EvaluationError) in try Text.index(values, last: false) }),
        Function(
            "(string).lastIndexOf(string) -> int", "(string).lastIndexOf(string, int) -> int",
            summary:
                "Index of the last place where the text is found, starting at an index or before; -1 "
                + "when there is none.",
            example: "'hello mellow'.lastIndexOf('ello') == 7",
            body: .variadic { values throws(EvaluationError) in try Text.index(values, last: true) }),
        Function(
            "(string).substring(int) -> string", "(string).substring(int, int) -> string",
            summary: "The code points from an index to the end, or up to (not with) another index.",
            example: "'tacocat'.substring(0, 4) == 'taco'",
            body: .variadic { values throws(EvaluationError) in try Text.substring(values) }),
        Function(
            "(string).replace(string, string) -> string", "(string).replace(string, string, int) -> string",
            summary: "Every occurrence replaced, or the first n; a negative n means all.",
            example: "'hello hello'.replace('he', 'we', 1) == 'wello hello'",
            body: .variadic { values throws(EvaluationError) in try Text.replace(values) }),
        Function(
            "(string).split(string) -> list(string)", "(string).split(string, int) -> list(string)",
            summary: "The parts between the separators, at most n; an empty separator splits into code points.",
            example: "'a,b,c'.split(',', 2) == ['a', 'b,c']",
            body: .variadic { values throws(EvaluationError) in try Text.split(values) }),
        Function(
            "(list).join() -> string", "(list).join(string) -> string",
            summary: "The strings of a list in one, with a separator between them.",
            example: "['a', 'b'].join('-') == 'a-b'",
            body: .join),
        Function(
            "(string).reverse() -> string", "(list).reverse() -> same",
            summary: "The code points or elements in reverse order.", example: "'gums'.reverse() == 'smug'",
            body: .unary { value throws(EvaluationError) in
                if let text = value.string { return .text(Text.reversed(text)) }
                return .list(try value.requireList().reversed())
            }),
        Function(
            "(string).format(list) -> string",
            summary: "Clauses replaced by the elements of the list: `%s %d %f %.2f %e %b %x %X %o %%`.",
            example: "'%s-%d-%.2f-%x'.format(['a', 5, 1.5, 255]) == 'a-5-1.50-ff'",
            body: .binary { text, list throws(EvaluationError) in
                try Formatter.format(try text.requireString(), try list.requireList())
            }),
        Function(
            "strings.quote(string) -> string", summary: "The text as a CEL string literal.",
            example: "strings.quote('a\"b\\n') == r'\"a\\\"b\\n\"'",
            body: .unary { text throws(EvaluationError) in .text(Text.quoted(try text.requireString())) }),
    ]

    /// With a pattern that is no constant.
    private static let matches = Function.Body.metered { values, meter throws(EvaluationError) in
        let (text, pattern) = (try values[0].requireString(), try values[1].requireString())
        try meter.charge(20 * pattern.count)
        guard let compiled = try? Pattern(pattern) else { throw .argument("pattern") }
        guard let found = compiled.matches(text.span, steps: &meter.steps) else {
            throw EvaluationError(.budgetExceeded)
        }
        return .bool(found)
    }
}
