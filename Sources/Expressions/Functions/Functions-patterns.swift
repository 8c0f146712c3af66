import Bytes

/// What regular expressions find. The syntax is that of `matches`.
extension FunctionTable {
    static let patterns: [Function] = [
        Function(
            "regex.extract(string, string) -> optional",
            summary:
                "What a pattern first matches in a text; with a group, what stands in the group. At most one group: write "
                + "the others `(?:...)`.",
            example: "regex.extract('csrf=\"a1b2\"', 'csrf=\"([^\"]*)').value() == 'a1b2' "
                + "&& !regex.extract('x', '[0-9]').hasValue()",
            body: .metered { values, meter throws(EvaluationError) in
                let (text, search) = (try values[0].requireString(), try single(values[1], &meter))
                let found = search.find(in: text.span, from: 0, steps: &meter.steps)
                try meter.charge(0)
                guard let found, let range = found[search.groups] else { return .optional(nil) }
                return .optional(.string(part(range, of: text)))
            }),
        Function(
            "regex.extractAll(string, string) -> list(string)",
            summary: "As `regex.extract`, all that do not overlap; a match whose group took no part is left out.",
            example: "regex.extractAll('a=1, b=22', '[a-z]=([0-9]+)') == ['1', '22']",
            body: .metered { values, meter throws(EvaluationError) in
                let (text, search) = (try values[0].requireString(), try single(values[1], &meter))
                var found: [Value] = []
                try forEach(search, in: text, limit: nil, &meter) { match throws(EvaluationError) in
                    if let range = match[search.groups] { found.append(.string(part(range, of: text))) }
                }
                return .list(found)
            }),
        Function(
            "regex.replace(string, string, string) -> string", "regex.replace(string, string, string, int) -> string",
            summary:
                "The text with all matches of a pattern replaced, or the first n (a negative n: all). In what comes "
                + "instead `\\\\1` to `\\\\9` are the groups, `\\\\0` the match, `\\\\\\\\` is a backslash.",
            example: "regex.replace('2024-05-01', '([0-9]+)-([0-9]+)-([0-9]+)', '\\\\3.\\\\2.\\\\1') == '01.05.2024' "
                + "&& regex.replace('aaa', 'a', 'b', 2) == 'bba'",
            body: .metered { values, meter throws(EvaluationError) in try replace(values, &meter) }),
    ]

    /// What looking a pattern up costs, and making it the first time.
    private static func search(_ pattern: Value, _ meter: inout Meter) throws(EvaluationError) -> PatternSearch {
        let source = try pattern.requireString()
        try meter.charge(source.count >> 4)
        return try PatternCache.shared.search(source) { () throws(EvaluationError) in
            try meter.charge(20 * source.count)
        }
    }

    private static func single(_ pattern: Value, _ meter: inout Meter) throws(EvaluationError) -> PatternSearch {
        let search = try search(pattern, &meter)
        guard search.groups <= 1 else { throw .argument("pattern with several groups") }
        return search
    }

    private static func part(_ range: Range<Int>, of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        text[(text.startIndex + range.lowerBound)..<(text.startIndex + range.upperBound)]
    }

    private static func forEach(
        _ search: PatternSearch, in text: ArraySlice<UInt8>, limit: Int?, _ meter: inout Meter,
        _ body: (PatternSearch.Found) throws(EvaluationError) -> Void
    ) throws(EvaluationError) {
        var (position, count, last) = (0, 0, -1)
        while position <= text.count, count < limit ?? .max {
            let found = search.find(in: text.span, from: position, steps: &meter.steps)
            try meter.charge(0)
            guard let found, let whole = found[0] else { return }
            // Nothing right behind a match is no match of its own, as in RE2.
            if !whole.isEmpty || whole.lowerBound != last {
                try body(found)
                count += 1
            }
            last = whole.upperBound
            guard whole.isEmpty else {
                position = whole.upperBound
                continue
            }
            // Nothing was matched: go on behind the next code point.
            guard whole.upperBound < text.count else { return }
            position = whole.upperBound + Pattern.scalar(text.span, at: whole.upperBound).length
        }
    }

    private static func replace(_ values: [Value], _ meter: inout Meter) throws(EvaluationError) -> Value {
        let (text, search) = (try values[0].requireString(), try search(values[1], &meter))
        let template = try replacement(try values[2].requireString(), groups: search.groups)
        let limit = values.count > 3 ? try values[3].requireInt() : -1
        var (output, end): ([UInt8], Int) = ([], 0)
        try forEach(search, in: text, limit: limit < 0 ? nil : limit, &meter) { found throws(EvaluationError) in
            guard let whole = found[0] else { return }
            output.append(contentsOf: part(end..<whole.lowerBound, of: text))
            for piece in template {
                switch piece {
                case .text(let byte): output.append(byte)
                case .group(let number):
                    if let range = found[number] { output.append(contentsOf: part(range, of: text)) }
                }
            }
            end = whole.upperBound
            guard output.count <= Function.outputLimit else { throw EvaluationError(.tooLarge) }
        }
        return .text(output + part(end..<text.count, of: text))
    }

    private enum Piece {
        case text(UInt8)
        case group(Int)
    }

    private static func replacement(_ text: ArraySlice<UInt8>, groups: Int) throws(EvaluationError) -> [Piece] {
        var (pieces, rest): ([Piece], ArraySlice<UInt8>) = ([], text)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                pieces.append(.text(byte))
                continue
            }
            guard let next = rest.popFirst() else { throw .argument("replacement ends in a backslash") }
            if next == UInt8(ascii: "\\") {
                pieces.append(.text(next))
            } else if ASCII.isDigit(next), Int(next - 0x30) <= groups {
                pieces.append(.group(Int(next - 0x30)))
            } else {
                throw .argument("replacement names a group that the pattern does not have")
            }
        }
        return pieces
    }
}
