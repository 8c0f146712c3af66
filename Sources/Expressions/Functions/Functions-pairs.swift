import Bytes
import XMLBytes

/// Lists of names and values: query, form, headers, or records. What they give is such a list again, so calls nest.
extension FunctionTable {
    static let pairs: [Function] = pairSources + pairChanges + pairChoices + pairTexts

    private static let pairSources: [Function] = [
        Function(
            "pairs.of(dyn) -> pairs",
            summary:
                "The members of a map or of a JSON object as pairs; a value that is no string as its text, a list or "
                + "an object as JSON.",
            example: "pairs.join(pairs.of({'b': 2, 'a': 'x'}), '=', '&') == 'b=2&a=x'",
            body: .unary { value throws(EvaluationError) in .pairs(try PairList.block(value), folding: false) }),
        Function(
            "pairs.parse(string) -> pairs", summary: "`a=1&b=2` with both sides percent-decoded, `+` as a blank.",
            example: "pairs.parse('a=%20x&b').map(p, p.value) == [' x', '']",
            body: .unary { text throws(EvaluationError) in
                let text = try text.requireString()
                return .pairs(Percent.pairs(text.span), folding: false)
            }),
        Function(
            "pairs.split(string) -> pairs", summary: "`a=1&b=2` with both sides as they are written.",
            example: "pairs.split('a=%20x&b').map(p, p.value) == ['%20x', '']",
            body: .unary { text throws(EvaluationError) in
                .pairs(PairList.raw(try text.requireString()), folding: false)
            }),
        Function(
            "xml.fields(string|bytes) -> pairs",
            summary: "The elements right inside the root of an XML text; of one with elements inside, its markup.",
            example: "pairs.join(xml.fields('<x><b>1</b><a><![CDATA[<2>]]></a></x>'), '=', '&') == 'b=1&a=<2>'",
            body: .unary { text throws(EvaluationError) in
                let bytes = Array(try text.requireContents())
                guard let document = try? XMLDocument(parsing: bytes, anyCharset: true) else {
                    throw .argument("XML")
                }
                return .pairs(document.fields, folding: false)
            }),
    ]

    private static let pairChanges: [Function] = [
        Function(
            "pairs.sort(pairs|list) -> pairs", summary: "By name and then by value, as bytes.",
            example: "pairs.join(pairs.sort(pairs.parse('b=1&a=2&a=1')), '=', '&') == 'a=1&a=2&b=1'",
            body: .unary { value throws(EvaluationError) in
                .pairs(PairList.sorted(try PairList.block(value)), folding: PairList.folds(value))
            }),
        changing(
            "pairs.encode", "Names and values percent-encoded (RFC 3986).",
            "pairs.join(pairs.encode(pairs.of({'a b': '*~'})), '=', '&') == 'a%20b=%2A~'", name: percent, value: percent
        ),
        changing(
            "pairs.encodeValues", "Values percent-encoded (RFC 3986), names as they are.",
            "pairs.join(pairs.encodeValues(pairs.of({'a[]': '/'})), '=', '&') == 'a[]=%2F'", value: percent),
        changing(
            "pairs.encodeForm", "Names and values percent-encoded, `+` for a blank.",
            "pairs.join(pairs.encodeForm(pairs.of({'a b': 'c d'})), '=', '&') == 'a+b=c+d'", name: form, value: form),
        changing(
            "pairs.lower", "Names in lower case (A to Z).",
            "pairs.join(pairs.lower(pairs.of({'X-A': 'V'})), ':', ';') == 'x-a:V'",
            name: { $0.map(ASCII.lower) }),
        changing(
            "pairs.collapse", "Values without blanks at their ends, and with one blank for several inside.",
            "pairs.join(pairs.collapse(pairs.of({'a': ' b   c '})), ':', ';') == 'a:b c'", value: collapsed),
        Function(
            "pairs.merge(pairs|list, string) -> pairs",
            summary:
                "Fields of one name as one, their values with a separator between them in the order received; header "
                + "names without regard to case.",
            example: "pairs.join(pairs.merge(pairs.parse('a=1&b=2&a=3'), ','), '=', '&') == 'a=1,3&b=2'",
            body: .binary { value, separator throws(EvaluationError) in
                let folding = PairList.folds(value)
                return .pairs(
                    PairList.merged(
                        try PairList.block(value), separator: try separator.requireString(), folding: folding),
                    folding: folding)
            }),
    ]

    private static let pairChoices: [Function] = [
        choosing("pairs.drop", "Without the fields of these names.", "'b=2'") { !$0 },
        choosing("pairs.keep", "Only the fields of these names, in their order.", "'a=1&c='") { $0 },
        Function(
            "pairs.pick(pairs|list, list) -> pairs",
            summary: "The fields of these names in the order of the names; an error when one is missing.",
            example: "pairs.join(pairs.pick(pairs.parse('a=1&b=2&c=3'), ['c', 'a']), '=', '&') == 'c=3&a=1'",
            body: .metered { values, meter throws(EvaluationError) in
                let (block, folding) = (try PairList.block(values[0]), PairList.folds(values[0]))
                var result = PairBlock()
                for name in try values[1].requireList() {
                    try meter.charge(block.count >> 2)
                    let name = try name.requireString()
                    var index = block.firstIndex(of: name.span, folding: folding)
                    guard index != nil else { throw EvaluationError(.noSuchKey) }
                    while let found = index {
                        let value = block.value(at: found)
                        result.append(name: name.span, value: value.span)
                        index = block.firstIndex(of: name.span, folding: folding, from: found + 1)
                    }
                }
                return .pairs(result, folding: folding)
            }),
        Function(
            "pairs.prefixed(pairs|list, string) -> pairs",
            summary: "Only the fields whose names begin so; the case of A to Z does not matter.",
            example: "pairs.names(pairs.prefixed(pairs.of({'X-Ca-A': '1', 'date': '2'}), 'x-ca-')) == ['X-Ca-A']",
            body: .binary { value, prefix throws(EvaluationError) in
                let prefix = try prefix.requireString()
                return kept(value, try PairList.block(value)) { block, index in
                    let start = block.name(at: index).prefix(prefix.count)
                    return ASCII.equalFolded(start.span, prefix.span)
                }
            }),
        Function(
            "pairs.filled(pairs|list) -> pairs", summary: "Only the fields with a name and a value that are not empty.",
            example: "pairs.join(pairs.filled(pairs.parse('a=1&b=&=2')), '=', '&') == 'a=1'",
            body: .unary { value throws(EvaluationError) in
                kept(value, try PairList.block(value)) { block, index in
                    !block.name(at: index).isEmpty && !block.value(at: index).isEmpty
                }
            }),
    ]

    private static let pairTexts: [Function] = [
        Function(
            "pairs.join(pairs|list, string, string) -> string",
            summary: "Name, first text, value; the second text between fields.",
            example: "pairs.join(pairs.parse('b=1&a=2'), '=', '&') == 'b=1&a=2'",
            body: .variadic { values throws(EvaluationError) in
                .text(
                    PairList.joined(
                        try PairList.block(values[0]), try values[1].requireString(), try values[2].requireString()))
            }),
        Function(
            "pairs.lines(pairs|list, string) -> string", summary: "Name, text, value and a line end for each field.",
            example: "pairs.lines(pairs.parse('b=1&a=2'), ':') == 'b:1\\na:2\\n'",
            body: .binary { value, between throws(EvaluationError) in
                let block = try PairList.block(value)
                let text = PairList.joined(block, try between.requireString(), [0x0A])
                return .text(block.isEmpty ? text : text + [0x0A])
            }),
        Function(
            "pairs.names(pairs|list) -> list(string)", summary: "The names in order.",
            example: "pairs.names(pairs.parse('b=1&a=2')) == ['b', 'a']",
            body: .unary { value throws(EvaluationError) in
                let block = try PairList.block(value)
                return .list((0..<block.count).map { .string(block.name(at: $0)) })
            }),
        Function(
            "pairs.values(pairs|list) -> list(string)", summary: "The values in order.",
            example: "pairs.values(pairs.parse('b=1&a=2')) == ['1', '2']",
            body: .unary { value throws(EvaluationError) in
                let block = try PairList.block(value)
                return .list((0..<block.count).map { .string(block.value(at: $0)) })
            }),
    ]

    // MARK: Makers

    private static let percent: @Sendable ([UInt8]) -> [UInt8] = { text in
        var output: [UInt8] = []
        Percent.encode(text.span, into: &output)
        return output
    }

    private static let form: @Sendable ([UInt8]) -> [UInt8] = { text in
        var output: [UInt8] = []
        Percent.encode(text.span, spaceIsPlus: true, into: &output)
        return output
    }

    private static let collapsed: @Sendable ([UInt8]) -> [UInt8] = { Text.collapsed($0[...]) }

    private static func changing(
        _ name: String, _ summary: String, _ example: String, name changeName: (@Sendable ([UInt8]) -> [UInt8])? = nil,
        value changeValue: (@Sendable ([UInt8]) -> [UInt8])? = nil
    ) -> Function {
        Function(
            "\(name)(pairs|list) -> pairs", summary: summary, example: example,
            body: .unary { value throws(EvaluationError) in
                .pairs(
                    PairList.mapped(try PairList.block(value), name: changeName, value: changeValue),
                    folding: PairList.folds(value))
            })
    }

    private static func choosing(
        _ name: String, _ summary: String, _ result: String, keeps: @escaping @Sendable (Bool) -> Bool
    ) -> Function {
        Function(
            "\(name)(pairs|list, list) -> pairs", summary: summary,
            example: "pairs.join(\(name)(pairs.parse('a=1&b=2&c='), ['a', 'c']), '=', '&') == \(result)",
            body: .metered { values, meter throws(EvaluationError) in
                var listed: [ArraySlice<UInt8>] = []
                for name in try values[1].requireList() { listed.append(try name.requireString()) }
                let (value, folding) = (values[0], PairList.folds(values[0]))
                let block = try PairList.block(value)
                try meter.charge((block.count * listed.count) >> 2)
                return kept(value, block) { block, index in
                    let name = block.name(at: index)
                    return keeps(
                        listed.contains { other in
                            folding ? ASCII.equalFolded(name.span, other.span) : ASCII.equal(name.span, other.span)
                        })
                }
            })
    }

    private static func kept(_ value: Value, _ block: PairBlock, _ isKept: (PairBlock, Int) -> Bool) -> Value {
        let entries = block.entries.indices.filter { isKept(block, $0) }.map { block.entries[$0] }
        return .pairs(PairBlock(bytes: block.bytes, entries: entries), folding: PairList.folds(value))
    }
}
