import Bytes
import JSONBytes
import Testing

/// Values among other bytes.
@Suite struct PrefixTests {
    @Test(arguments: [
        (#"{"a":1}{"b":2}"#, 0, 7), (#"{"a":1}{"b":2}"#, 7, 14), ("[1] trailing", 0, 3), ("  12 34", 0, 4),
        ("12 34", 2, 5), ("\"a\"\u{0}", 0, 3),
        ("nullnull", 4, 8), ("[]", -5, 2),
    ])
    func stopsBehindTheFirstValue(_ input: String, _ from: Int, _ end: Int) throws {
        let document = try JSONDocument(parsingPrefixOf: bytes(input), from: from)
        #expect(document.endOffset == end)
        #expect(document.root.endOffset == end)
    }

    @Test func refusesAnIncompletePrefix() {
        for input in ["", "  ", "[1", "{\"a\"", "x", "\"a"] {
            #expect(throws: JSONError.self) { try JSONDocument(parsingPrefixOf: bytes(input)) }
        }
        #expect(throws: JSONError(.unexpectedEnd, at: 2)) { try JSONDocument(parsing: bytes("[]"), from: 99) }
    }

    @Test func offsetsReferToTheGivenArray() throws {
        let document = try JSONDocument(parsing: bytes("xx [10, 20] "), from: 2)
        #expect(document.root.startOffset == 3)
        #expect(document.endOffset == 11)
        #expect(document.root.element(at: 1)?.startOffset == 8)
        #expect(throws: JSONError(.unexpectedByte, at: 4)) { try JSONDocument(parsing: bytes("xx [x]"), from: 2) }
    }

    static let noticed: [(String, Int?)] = [
        (#"{"code":0}"#, 0), ("\n\n{\"a\":[1]}\n", 2), ("\u{FEFF}{\"a\":1}", 3),
        ("<br />\n<b>Notice</b>: Undefined index: uid in <b>/var/www/a.php</b> on line <b>12</b><br />\n{\"a\":1}", 92),
        ("PHP Warning: Undefined array key [uid] in a.php\n{\"a\":1}", 48),
        ("Notice: Undefined offset: [0] in {main}\n[{\"a\":1}]", 40), ("Array ( [0] => x ) {\"a\":\"{[\"}", 19),
        ("Notice: bad {\"json\" in [1,2\n{\"ok\":true}  ", 28), ("[1] {\"a\":1}", 4), ("no json", nil), ("", nil),
        ("{", nil), ("Notice [x] {y}", nil),
        ("{\"a\":1} <!-- end -->", nil), ("42", nil),
    ]

    @Test(arguments: noticed)
    func findsTheTextBehindNotices(_ body: String, _ start: Int?) {
        #expect(JSONText.findDocument(bytes(body))?.root.startOffset == start)
    }
}
