import Testing

@testable import XMLBytes

@Suite struct XMLDocumentTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(arguments: [
        ("<a/>", ""), ("<a>x</a>", "x"), ("<?xml version=\"1.0\"?>\n<a >x</a >\n<!-- end -->", "x"),
        ("<a>&lt;&#65;&#x42;&amp;amp;</a>", "<AB&amp;"), ("<a><![CDATA[<&]]]></a>", "<&]"),
        ("<a>1<b>no</b>2<!-- c -->3<?pi x?>4</a>", "1234"), ("<a>x\r\ny\rz</a>", "x\ny\nz"), ("<a>中😀</a>", "中😀"),
        ("<n:a xmlns:n='u'>x</n:a>", "x"), ("<a b='1' c=\"2\"/>", ""), ("<a>&#13;</a>", "\r"),
    ])
    func theTextOfTheRoot(_ source: String, _ expected: String) throws {
        #expect(text(try XMLDocument(parsing: bytes(source)).root.text) == expected)
    }

    @Test(
        arguments: [
            ("", .malformed), ("x", .malformed), ("<a>", .malformed), ("<a></b>", .malformed), ("<a/><b/>", .malformed),
            ("<a b=1/>", .malformed), ("<a b='1' b='2'/>", .malformed), ("<a b='<'/>", .malformed),
            ("<a b='1'c='2'/>", .malformed),
            ("<a>]]></a>", .malformed), ("<a>&nbsp;</a>", .entity), ("<a>&</a>", .entity), ("<a>&#0;</a>", .entity),
            ("<a>&#xD800;</a>", .entity), ("<a>&#+65;</a>", .entity), ("<!DOCTYPE a><a/>", .documentType),
            ("<a>\u{1}</a>", .malformed),
            ("<a>\u{FFFE}</a>", .malformed), ("<!-- a -- b --><a/>", .malformed),
            (" <?xml version='1.0'?><a/>", .malformed),
            ("<a/>x", .malformed), ("<1a/>", .malformed), ("<a:b:c/>", .malformed), ("<a", .malformed),
            ("<a b", .malformed),
            ("<![CDATA[x]]>", .malformed), ("<a><![CDATA[x</a>", .malformed), ("</a>", .malformed),
            (String(repeating: "<a>", count: 65), .tooDeep),
        ] as [(String, XMLError.Kind)])
    func whatIsNoXMLIsRefused(_ source: String, _ kind: XMLError.Kind) {
        do {
            _ = try XMLDocument(parsing: bytes(source))
            Issue.record("parsed")
        } catch {
            #expect(error.kind == kind)
            #expect((0...source.utf8.count).contains(error.offset))
        }
    }

    @Test func bytesThatAreNoUTF8AreRefused() {
        #expect(throws: XMLError.self) { try XMLDocument(parsing: bytes("<a>") + [0xC3] + bytes("</a>")) }
    }

    @Test func limitsHold() {
        var limits = XMLLimits()
        limits.nodes = 3
        #expect(throws: XMLError.self) { try XMLDocument(parsing: bytes("<a><b/><b/><b/></a>"), limits: limits) }
        let long = "<" + String(repeating: "a", count: 300) + "/>"
        #expect(throws: XMLError.self) { try XMLDocument(parsing: bytes(long)) }
    }

    @Test func anElementIsFoundByEitherName() throws {
        let document = try XMLDocument(parsing: bytes("<x><n:s>1</n:s><s>2</s></x>"))
        #expect(document.first(bytes("s")).map { text($0.text) } == "1")
        #expect(document.first(bytes("n:s")).map { text($0.text) } == "1")
        #expect(document.first(bytes("*")).map { text($0.name) } == "x")
        #expect(document.first(bytes("t")) == nil)
    }

    @Test func aMillionReferencesAreLinear() throws {
        let source = "<a>" + String(repeating: "&amp;", count: 200_000) + "</a>"
        #expect(try XMLDocument(parsing: bytes(source)).root.text.count == 200_000)
    }

    @Test func everyPrefixIsRefusedWithoutATrap() {
        let whole = bytes("<?xml version='1.0'?><a b='&lt;'>t&#x41;<![CDATA[c]]><!--d--><e/><?p q?></a>")
        for count in 0..<whole.count {
            #expect(throws: XMLError.self) { try XMLDocument(parsing: Array(whole[..<count])) }
        }
        #expect(throws: Never.self) { try XMLDocument(parsing: whole) }
    }

    @Test(arguments: [("a<b>&\"\r", "a&lt;b&gt;&amp;&quot;&#13;"), ("中\t\n", "中\t\n")])
    func textIsEscaped(_ source: String, _ expected: String) throws {
        var output: [UInt8] = []
        #expect(XMLText.appendEscaped(bytes(source)[...], to: &output))
        #expect(text(output[...]) == expected)
        let back = try XMLDocument(parsing: bytes("<a>") + output + bytes("</a>"))
        #expect(text(back.root.text) == source)
    }

    @Test func whatXMLCannotSayIsTold() {
        var output: [UInt8] = []
        #expect(!XMLText.appendEscaped([0], to: &output))
        #expect(!XMLText.appendEscaped([0xFF], to: &output))
    }
}
