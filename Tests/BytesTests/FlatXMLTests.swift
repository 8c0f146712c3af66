import Testing

@testable import Bytes

/// Elements right inside the root of an XML text: read, added, cut out.
struct FlatXMLTests {
    private static func pairs(_ text: String) -> String? {
        guard let fields = FlatXML(Array(text.utf8))?.fields else { return nil }
        return (0..<fields.count).map { index in
            String(decoding: fields.name(at: index) + [0x3D] + fields.value(at: index), as: UTF8.self)
        }.joined(separator: ";")
    }

    @Test(arguments: [
        ("<xml><a>1</a><b>2</b></xml>", "a=1;b=2"), ("<x/>", nil), ("<x></x>", ""),
        ("<x><a/><b></b><c>&lt;&#20013;&#x4E2D;&amp;&quot;&apos;&gt;&nope;</c></x>", "a=;b=;c=<中中&\"'>&nope;"),
        ("<x><a><![CDATA[<&]]>x<![CDATA[]]]]></a></x>", "a=<&x]]"), ("<x><a><b>1</b> 2</a></x>", "a=<b>1</b> 2"),
        ("\u{FEFF}<?xml version=\"1.0\"?>\n<!-- <a> --> <x y='>'>\n<a z=\"/>\">1</a>\n</x>\n", "a=1"),
        ("<n:x><n:a>1</n:a><a>2</a></n:x>", "n:a=1;a=2"), ("<x><!-- <a>1</a> --><?a <b>?><c>3</c></x>", "c=3"),
        ("<x><a>1</a></y>", nil), ("<x><a>1</b></x>", nil), ("<x><a>1</a>", nil), ("<x></x><y></y>", nil), ("", nil),
        ("<!DOCTYPE x [<!ENTITY a \"b\">]><x><a>&a;</a></x>", nil), ("text", nil), ("<x><a", nil),
        ("<x><![CDATA[", nil),
        ("<x>&#xD800;<a>&#xD800;</a></x>", "a=&#xD800;"), ("<x><a>&#99999999999;</a></x>", "a=&#99999999999;"),
        ("<", nil),
        ("<x><a b=\"</a></x>", nil),
    ])
    func reads(text: String, expected: String?) { #expect(Self.pairs(text) == expected) }

    @Test func deepNestingIsRefused() {
        let text = String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000)
        #expect(Self.pairs(text) == nil)
    }

    @Test func addsBeforeTheEndOfTheRoot() throws {
        let text = Array("<x>\n <a>1</a>\n</x>\n".utf8)
        let added = try #require(FlatXML.appending([(Array("s".utf8), Array("<&>".utf8))], to: text))
        #expect(String(decoding: added, as: UTF8.self) == "<x>\n <a>1</a>\n<s>&lt;&amp;&gt;</s></x>\n")
        #expect(FlatXML.appending([], to: Array("<x>".utf8)) == nil)
    }

    @Test func cutsEveryElementOfAName() throws {
        let text = Array("<x><s>1</s><a><s>in</s></a><s/><b/></x>".utf8)
        let kept = try #require(FlatXML.dropping([Array("s".utf8)], from: text))
        #expect(String(decoding: kept, as: UTF8.self) == "<x><a><s>in</s></a><b/></x>")
        #expect(FlatXML.dropping([Array("z".utf8)], from: text) == nil)
    }
}
