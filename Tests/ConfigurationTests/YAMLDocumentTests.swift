import Testing

@testable import Configuration

struct YAMLDocumentTests {
    private func parse(_ text: String) -> (root: YAMLNode?, problems: [String]) {
        let sink = IssueSink(file: "t", source: SourceText(bytes: Array(text.utf8)))
        let root = YAMLDocument(parsing: sink.source, issues: sink).root
        return (root, sink.sorted.map(\.text))
    }

    /// The tree as JSON-like text.
    private func show(_ node: YAMLNode) -> String {
        switch node.content {
        case .scalar(let scalar): JSONLiteral.string(scalar.text)
        case .sequence(let nodes): "[" + nodes.map(show).joined(separator: ",") + "]"
        case .mapping(let entries): "{" + entries.map { "\($0.key):\(show($0.value))" }.joined(separator: ",") + "}"
        }
    }

    @Test(arguments: [
        ("a: 1", #"{a:"1"}"#), (#"{"a": [1, "x"], "b": {}}"#, #"{a:["1","x"],b:{}}"#),
        ("a: |\n  x\n  y\n", #"{a:"x\ny\n"}"#), ("a: >-\n  x\n  y\n", #"{a:"x y"}"#),
        ("a: &n {b: 1}\nc: *n\n", #"{a:{b:"1"},c:{b:"1"}}"#), ("a: 'it''s'", #"{a:"it's"}"#),
        (#"a: "\u00e9\t\/""#, #"{a:"é\t/"}"#), ("%YAML 1.1\n---\na: no\n...\n", #"{a:"no"}"#),
        ("\u{FEFF}a: 1", #"{a:"1"}"#),
    ])
    func reads(_ text: String, _ expected: String) throws {
        let bytes = Array(text.utf8)
        // The loader drops a byte order mark.
        let plain = text.hasPrefix("\u{FEFF}") ? String(decoding: bytes.dropFirst(3), as: UTF8.self) : text
        let (root, problems) = parse(plain)
        #expect(problems == [])
        #expect(show(try #require(root)) == expected)
    }

    @Test(arguments: [
        ("a: 1\na: 2", "t:2:1 a: already set on line 1"),
        (
            "a: !!str x",
            "t:1:4 a: tags are not supported (a value takes the type its key wants; an expression that begins with `!` "
                + "needs quotes)"
        ),
        ("a: 1\n---\nb: 2", "t:2:1: a second document (one file holds one config; remove the line ---)"),
        ("a: *x", "t:1:4 a: no finished anchor named \"x\""), ("? [1]\n: 2", "t:1:3: a key must be a single value"),
        ("b: &x [*x]", "t:1:8 b[0]: no finished anchor named \"x\""), ("", "t:1:1: the file is empty"),
        ("# only\n", "t:1:1: the file is empty"),
        (
            "a: [1, 2",
            "t:2:1: while parsing a flow sequence: did not find expected ',' or ']' "
                + "(inside { } and [ ] a text with a comma, a bracket or `: ` needs quotes)"
        ),
        (
            "\ta: 1",
            "t:1:1: while scanning for the next token: found character that cannot start any token "
                + "(put the text in quotes, and indent with blanks, not tabs)"
        ),
        (
            "a: b: c",
            "t:1:5: mapping values are not allowed in this context "
                + "(a text with `: ` in it needs quotes, or >- and a line of its own)"
        ),
    ])
    func refuses(_ text: String, _ expected: String) { #expect(parse(text).problems == [expected]) }

    @Test func mergeKeysAreRefused() {
        let problems = parse("a: &x {b: 1}\nc:\n  <<: *x\n").problems
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("t:3:3 c: merge keys are not supported") == true)
    }

    @Test func depthIsBounded() {
        let (deep, tooDeep) = (64, 65)
        #expect(parse(String(repeating: "[", count: deep) + String(repeating: "]", count: deep)).problems == [])
        let problems = parse(String(repeating: "[", count: tooDeep) + String(repeating: "]", count: tooDeep)).problems
        #expect(problems.count == 1)
        #expect(problems.first?.hasSuffix("nested more than 64 levels deep") == true)
    }

    @Test func depthCountsThroughAliases() {
        let inner = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        let outer = String(repeating: "[", count: 40) + "*a" + String(repeating: "]", count: 40)
        let problems = parse("x: &a \(inner)\ny: \(outer)\n").problems
        #expect(problems.first?.hasSuffix("nested more than 64 levels deep") == true)
    }

    @Test func aliasBombsAreRefused() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...12 {
            let items = [String](repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(items)]\n"
        }
        let problems = parse(text).problems
        #expect(problems.count == 1)
        #expect(problems.first?.contains("more than 100000 values") == true)
    }

    @Test func sizeIsBounded() {
        #expect(parse("a: " + String(repeating: "x", count: (1 << 20) - 3)).problems == [])
        #expect(parse("a: " + String(repeating: "x", count: 1 << 20)).problems == ["t:1:1: larger than 1 MiB"])
    }

    @Test func brokenUTF8IsAnIssue() {
        let sink = IssueSink(file: "t", source: SourceText(bytes: Array("a: 1\nb: ".utf8) + [0xC3, 0x28]))
        #expect(YAMLDocument(parsing: sink.source, issues: sink).root == nil)
        #expect(sink.issues.count == 1)
    }

    @Test func positionsAreCharactersFromOne() throws {
        let root = try #require(parse("é: [ü, b]\n").root)
        guard case .mapping(let entries) = root.content, case .sequence(let items) = entries[0].value.content else {
            Issue.record("not a mapping")
            return
        }
        #expect(entries[0].keyPosition == SourcePosition(line: 1, column: 1))
        #expect(items.map(\.position) == [SourcePosition(line: 1, column: 5), SourcePosition(line: 1, column: 8)])
    }

    @Test(arguments: ["", "~", "null"]) func nothingIsNull(_ text: String) throws {
        let root = try #require(parse("a: \(text)\n").root)
        guard case .mapping(let entries) = root.content else { return }
        #expect(entries[0].value.isNull)
    }
}
