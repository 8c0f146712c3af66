import Bytes
import Testing

@testable import XMLBytes

/// Elements right inside the root of an XML text: read, added, cut out.
struct XMLFieldsTests {
    private static func pairs(_ text: String) -> String? {
        guard let fields = (try? XMLDocument(parsing: Array(text.utf8)))?.fields else { return nil }
        return (0..<fields.count).map { index in
            String(decoding: fields.name(at: index) + [0x3D] + fields.value(at: index), as: UTF8.self)
        }.joined(separator: ";")
    }

    @Test(arguments: [
        ("<xml><a>1</a><b>2</b></xml>", "a=1;b=2"), ("<x/>", ""), ("<x></x>", ""),
        ("<x><a/><b></b><c>&lt;&#20013;&#x4E2D;&amp;&quot;&apos;&gt;</c></x>", "a=;b=;c=<中中&\"'>"),
        ("<x><a><![CDATA[<&]]>x<![CDATA[]]]]></a></x>", "a=<&x]]"), ("<x><a><b>1</b> 2</a></x>", "a=<b>1</b> 2"),
        ("\u{FEFF}<?xml version=\"1.0\"?>\n<!-- <a> --> <x y='>'>\n<a z=\"/>\">1</a>\n</x>\n", "a=1"),
        ("<n:x><n:a>1</n:a><a>2</a></n:x>", "n:a=1;a=2"), ("<x><!-- <a>1</a> --><?a <b>?><c>3</c></x>", "c=3"),
        ("<x><a>1</a></y>", nil), ("<x><a>1</b></x>", nil), ("<x><a>1</a>", nil), ("<x></x><y></y>", nil), ("", nil),
        ("<!DOCTYPE x [<!ENTITY a \"b\">]><x><a>&a;</a></x>", nil), ("text", nil), ("<x><a", nil),
        ("<x><![CDATA[", nil), ("<x><a>&nope;</a></x>", nil), ("<x><a>&#xD800;</a></x>", nil), ("<", nil),
        ("<x><a b=\"</a></x>", nil),
    ])
    func reads(text: String, expected: String?) { #expect(Self.pairs(text) == expected) }

    @Test func deepNestingIsRefused() {
        let text = String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000)
        #expect(Self.pairs(text) == nil)
    }

    @Test func addsBeforeTheEndOfTheRoot() throws {
        let text = Array("<x>\n <a>1</a>\n</x >\n".utf8)
        let added = try #require(XMLDocument.appending([(Array("s".utf8), Array("<&>".utf8))], to: text))
        #expect(String(decoding: added, as: UTF8.self) == "<x>\n <a>1</a>\n<s>&lt;&amp;&gt;</s></x >\n")
        #expect(XMLDocument.appending([], to: Array("<x>".utf8)) == nil)
        // There is no end tag to stand before.
        #expect(XMLDocument.appending([(Array("s".utf8), [])], to: Array("<x/>".utf8)) == nil)
        #expect(XMLDocument.appending([(Array("s".utf8), [0])], to: text) == nil)
    }

    @Test func otherCharsetsKeepTheirBytes() throws {
        let text = Array("<x><n>".utf8) + [0xD6, 0xD0] + Array("</n><s>1</s></x>".utf8)
        #expect((try? XMLDocument(parsing: text)) == nil)
        let kept = try #require(XMLDocument.dropping([Array("s".utf8)], from: text))
        let added = try #require(XMLDocument.appending([(Array("s".utf8), [0xCE, 0xC4])], to: kept))
        #expect(
            added == Array("<x><n>".utf8) + [0xD6, 0xD0] + Array("</n><s>".utf8) + [0xCE, 0xC4] + Array("</s></x>".utf8)
        )
    }

    @Test func cutsEveryElementOfAName() throws {
        let text = Array("<x><s>1</s><a><s>in</s></a><s/><b/></x>".utf8)
        let kept = try #require(XMLDocument.dropping([Array("s".utf8)], from: text))
        #expect(String(decoding: kept, as: UTF8.self) == "<x><a><s>in</s></a><b/></x>")
        #expect(XMLDocument.dropping([Array("z".utf8)], from: text) == nil)
    }
}
