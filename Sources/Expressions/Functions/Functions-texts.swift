import Bytes

/// Small cuts and repairs of text.
extension FunctionTable {
    static let texts: [Function] = [
        Function(
            "(string).collapse() -> string",
            summary: "Without blanks (space, tab) at the ends, and with one space for several inside.",
            example: "'  a   b '.collapse() == 'a b'",
            body: .unary { text throws(EvaluationError) in .text(Text.collapsed(try text.requireString())) }),
        Function(
            "(string).ensurePrefix(string) -> string", summary: "The text, with this before it unless it begins so.",
            example: "'a/b'.ensurePrefix('/') == '/a/b'",
            body: .binary { text, part throws(EvaluationError) in
                let (text, part) = (try text.requireString(), try part.requireString())
                return text.starts(with: part) ? .string(text) : .text(Array(part) + text)
            }),
        Function(
            "(string).ensureSuffix(string) -> string", summary: "The text, with this behind it unless it ends so.",
            example: "'/a'.ensureSuffix('/') == '/a/' && '/'.ensureSuffix('/') == '/'",
            body: .binary { text, part throws(EvaluationError) in
                let (text, part) = (try text.requireString(), try part.requireString())
                return text.suffix(part.count) == part ? .string(text) : .text(Array(text) + part)
            }),
        Function(
            "(string).removePrefix(string) -> string",
            summary: "The text without this at its beginning, if it is there.",
            example: "'whsec_abc'.removePrefix('whsec_') == 'abc'",
            body: .binary { text, part throws(EvaluationError) in
                let (text, part) = (try text.requireString(), try part.requireString())
                return .string(text.starts(with: part) ? text.dropFirst(part.count) : text)
            }),
        Function(
            "(string).removeSuffix(string) -> string", summary: "The text without this at its end, if it is there.",
            example: "'/a/'.removeSuffix('/') == '/a'",
            body: .binary { text, part throws(EvaluationError) in
                let (text, part) = (try text.requireString(), try part.requireString())
                return .string(text.suffix(part.count) == part ? text.dropLast(part.count) : text)
            }),
        Function(
            "(string).left(int) -> string", summary: "At most so many code points from the beginning.",
            example: "'中文字'.left(2) == '中文' && 'a'.left(2) == 'a'",
            body: .binary { text, count throws(EvaluationError) in
                let (text, count) = (try text.requireString(), try count.requireInt())
                return .string(text.prefix(try Text.byteCount(of: count, in: text)))
            }),
        Function(
            "(string).right(int) -> string", summary: "At most so many code points from the end.",
            example: "'中文字'.right(2) == '文字' && 'a'.right(2) == 'a'",
            body: .binary { text, count throws(EvaluationError) in
                let (text, count) = (try text.requireString(), try count.requireInt())
                let dropped = max(0, Value.codePoints(text) - max(0, count))
                if count < 0 { throw .argument("a negative number") }
                return .string(text.dropFirst(try Text.byteCount(of: dropped, in: text)))
            }),
        padding("padStart", "before", "'7'.padStart(3, '0') == '007'"),
        padding("padEnd", "behind", "'key'.padEnd(5, '*') == 'key**'"),
        Function(
            "(string).before(string) -> string",
            summary: "What stands before the first place where this is found; all of it when it is not there.",
            example: "'a=b=c'.before('=') == 'a'",
            body: .binary { text, part throws(EvaluationError) in
                let text = try text.requireString()
                guard let place = ByteSearch.first(try part.requireString(), in: text) else { return .string(text) }
                return .string(text[..<place])
            }),
        Function(
            "(string).after(string) -> string",
            summary: "What stands behind the first place where this is found; nothing when it is not there.",
            example: "'a=b=c'.after('=') == 'b=c'",
            body: .binary { text, part throws(EvaluationError) in
                let (text, part) = (try text.requireString(), try part.requireString())
                guard let place = ByteSearch.first(part, in: text) else { return .string(text.suffix(0)) }
                return .string(text[(place + part.count)...])
            }),
    ]

    private static func padding(_ name: String, _ place: String, _ example: String) -> Function {
        Function(
            "(string).\(name)(int, string) -> string",
            summary: "The text with one character \(place) it as often as it takes to make so many code points.",
            example: example,
            body: .variadic { values throws(EvaluationError) in
                let (text, filler) = (try values[0].requireString(), try values[2].requireString())
                guard Value.codePoints(filler) == 1 else { throw .argument("one character") }
                let wanted = try values[1].requireInt()
                guard wanted <= 1 << 20 else { throw EvaluationError(.tooLarge) }
                let have = Value.codePoints(text)
                guard wanted > have else { return .string(text) }
                var output: [UInt8] = []
                output.reserveCapacity(text.count + (wanted - have) * filler.count)
                if name == "padEnd" { output.append(copying: text.span) }
                for _ in have..<wanted { output.append(copying: filler.span) }
                if name == "padStart" { output.append(copying: text.span) }
                return .text(output)
            })
    }
}

extension Text {
    /// Bytes of the first code points; of all of them when there are fewer.
    static func byteCount(of count: Int, in text: ArraySlice<UInt8>) throws(EvaluationError) -> Int {
        guard count >= 0 else { throw .argument("a negative number") }
        var seen = 0
        for (offset, byte) in text.enumerated() where byte & 0xC0 != 0x80 {
            if seen == count { return offset }
            seen += 1
        }
        return text.count
    }
}
