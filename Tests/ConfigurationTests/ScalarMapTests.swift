import Testing

@testable import Configuration

/// `@` marks the character that is looked for; its offset in the decoded value must lead back to its place in the file.
struct ScalarMapTests {
    @Test(arguments: [
        "a: x@y", "a: (@x", "a: 'it''s @ here'", #"a: "tab\t and \u00e9\x41 @""#, #"a: "\"\\ @""#,
        "a: |\n  one\n  two @\n", "a: >-\n    one\n    t@wo\n\n    three\n", "a: >- # comment @no\n  one @\n",
        "a: plain\n  folded over\n  @lines\n", "a: &anchor x@y", "é: [ü, 'ö@']",
        #"a: "line \"# + "\n   joined @\"", "a: |2\n    deeper @\n  x\n", "a: \"x\\\n    \\ @y\"",
    ])
    func leadsBack(_ text: String) throws {
        let bytes = Array(text.utf8)
        let sink = IssueSink(file: "t", source: SourceText(bytes: bytes))
        let root = try #require(YAMLDocument(parsing: sink.source, issues: sink).root)
        let node = try #require(last(root))
        guard case .scalar(let scalar) = node.content else { return }
        let offset = try #require(Array(scalar.text.utf8).firstIndex(of: UInt8(ascii: "@")))
        let expected = try #require(bytes.lastIndex(of: UInt8(ascii: "@")))
        let found = ScalarMap.position(of: offset, in: scalar, at: node.position, source: sink.source)
        #expect(found == sink.source.position(at: expected))
    }

    private func last(_ node: YAMLNode) -> YAMLNode? {
        switch node.content {
        case .scalar: node
        case .sequence(let items): items.last.flatMap(last)
        case .mapping(let entries): entries.last.flatMap { last($0.value) }
        }
    }

    @Test func offsetsBeyondTheValueAreClamped() throws {
        let source = SourceText(bytes: Array("a: xy".utf8))
        let start = SourcePosition(line: 1, column: 4)
        let scalar = YAMLScalar(text: "xy", style: .plain)
        #expect(ScalarMap.position(of: 99, in: scalar, at: start, source: source) == SourcePosition(line: 1, column: 6))
        #expect(ScalarMap.position(of: -1, in: scalar, at: start, source: source) == start)
    }
}
