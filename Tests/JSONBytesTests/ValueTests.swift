import Bytes
import JSONBytes
import Testing

/// Reading values out of a document.
@Suite struct ValueTests {
    @Test func knowsKindsCountsAndRawBytes() throws {
        let value = try root(#" { "n" : null , "t":true,"f":false, "i": -12, "s":"a\tb", "a":[ 1 , 2,[3] ], "o":{} } "#)
        #expect(value.kind == .object)
        #expect(value.count == 7)
        #expect(value.named("n")?.isNull == true)
        #expect(value.named("t")?.boolValue == true)
        #expect(value.named("f")?.boolValue == false)
        #expect(value.named("n")?.boolValue == nil)
        #expect(value.named("i")?.kind == .number)
        #expect(value.named("a")?.kind == .array)
        #expect(value.named("a")?.count == 3)
        #expect(value.named("o")?.count == 0)
        #expect(value.named("s")?.count == 0)
        #expect(text(try #require(value.named("a")).raw) == "[ 1 , 2,[3] ]")
        #expect(text(try #require(value.named("s")).raw) == #""a\tb""#)
        #expect(value.raw.first == 0x7B && value.raw.last == 0x7D)
        #expect(value.named("x") == nil)
        #expect(value.named("a")?.named("0") == nil)
    }

    static let numbers: [(String, Int64?, UInt64?, Double?)] = [
        ("0", 0, 0, 0), ("-0", 0, 0, -0.0), ("7", 7, 7, 7), ("-100", -100, nil, -100),
        ("9223372036854775807", .max, 9_223_372_036_854_775_807, 9_223_372_036_854_775_808),
        ("9223372036854775808", nil, 9_223_372_036_854_775_808, 9_223_372_036_854_775_808),
        ("-9223372036854775808", .min, nil, -9_223_372_036_854_775_808),
        ("-9223372036854775809", nil, nil, -9_223_372_036_854_775_808),
        ("18446744073709551615", nil, .max, 18_446_744_073_709_551_616),
        ("18446744073709551616", nil, nil, 18_446_744_073_709_551_616),
        ("123456789012345678901234567890", nil, nil, 123456789012345678901234567890.0), ("1.0", nil, nil, 1),
        ("1e2", nil, nil, 100),
        ("10.10", nil, nil, 10.1), ("1E400", nil, nil, nil), ("-1e400", nil, nil, nil), ("1e-999", nil, nil, 0),
        ("5e-324", nil, nil, .leastNonzeroMagnitude),
    ]

    @Test(arguments: numbers)
    func numbersAreTokensUntilAsked(_ token: String, _ int: Int64?, _ uint: UInt64?, _ double: Double?) throws {
        for value in [try root(token), try #require(try root("[\(token)]").element(at: 0))] {
            #expect(value.int64 == int)
            #expect(value.uint64 == uint)
            #expect(value.double == double)
            #expect(text(value.raw) == token)
        }
    }

    @Test func otherKindsGiveNoNumber() throws {
        for token in ["\"1\"", "true", "null", "[1]", "{\"a\":1}"] {
            let value = try root(token)
            #expect(value.int64 == nil && value.uint64 == nil && value.double == nil)
        }
    }

    static let strings: [(String, String)] = [
        (#""""#, ""), (#""abc""#, "abc"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u20AC""#, "Aé€"),
        (#""\ud834\uDD1E!""#, "𝄞!"), (#""\u0000x""#, "\u{0}x"), (#""é\n""#, "é\n"), (#""\\u0041""#, "\\u0041"),
        (#""\ud800x""#, "\u{FFFD}x"), (#""\udc00\ud800""#, "\u{FFFD}\u{FFFD}"), (#""\ud800\ud834\udd1e""#, "\u{FFFD}𝄞"),
        (#""\ud800\u0041""#, "\u{FFFD}A"),
    ]

    @Test(arguments: strings)
    func decodesStrings(_ literal: String, _ expected: String) throws {
        let value = try root(literal)
        #expect(value.string == bytes(expected))
        #expect(value.text.map(Array.init) == bytes(expected))
        #expect(value.hasEscapes == literal.contains("\\"))
        #expect((value.stringSlice == nil) == literal.contains("\\"))
        #expect(value.hasLoneSurrogate == expected.contains("\u{FFFD}"))
        #expect(value.says(expected) == !value.hasLoneSurrogate)
        #expect(!value.says(expected + "x"))
    }

    @Test func otherKindsGiveNoString() throws {
        for token in ["1", "true", "null", "[\"a\"]", "{\"a\":\"b\"}"] {
            let value = try root(token)
            #expect(value.string == nil && value.stringSlice == nil && value.text == nil && !value.says(""))
        }
    }

    @Test func comparesKeysAsBytesAfterUnescaping() throws {
        let value = try root(#"{"caf\u00e9":1,"cafe\u0301":2,"a\/b":3,"\u0063ode":4,"\ud800":5,"\ufffd":6}"#)
        #expect(value.named("caf\u{E9}")?.int64 == 1)
        #expect(value.named("cafe\u{301}")?.int64 == 2)
        #expect(value.named("a/b")?.int64 == 3)
        #expect(value.member("code")?.int64 == 4)
        #expect(value.named("\u{FFFD}")?.int64 == 6)
        #expect(value.named("cod") == nil)
        #expect(value.named("codes") == nil)
    }

    @Test func firstOfDuplicatesWins() throws {
        let value = try root(#"{"code":1,"x":{"code":9},"co\u0064e":2,"y":0,"list":["code"]}"#)
        #expect(value.member("code")?.int64 == 1)
        #expect(value.members.map { text($0.key.text ?? []) } == ["code", "x", "code", "y", "list"])
        #expect(value.count == 5)
    }

    @Test func walksElementsAndMembers() throws {
        let value = try root(#"[[1,[2,3]],{"a":[4],"b":{"c":5}},6]"#)
        #expect(value.elements.map { text($0.raw) } == ["[1,[2,3]]", #"{"a":[4],"b":{"c":5}}"#, "6"])
        #expect(value.element(at: 2)?.int64 == 6)
        #expect(value.element(at: 3) == nil && value.element(at: -1) == nil)
        #expect(value.element(at: 1)?.members.map { text($0.value.raw) } == ["[4]", #"{"c":5}"#])
        #expect(value.element(at: 1)?.element(at: 0) == nil)
        #expect(try Array(value.members).isEmpty && Array(root("{\"a\":1}").elements).isEmpty)
        #expect(try Array(root("7").elements).isEmpty)
    }

    /// The examples of RFC 6901 5, and what is not there.
    @Test(
        arguments: [
            ("", "*"), ("/foo", #"["bar", "baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
            ("/e^f", "3"),
            ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"), ("/o/p/1/q", "true"),
            ("/o/p/01", nil), ("/o/p/-", nil), ("/o/p/2", nil), ("/o/p/", nil), ("/o/p/+1", nil),
            ("/o/p/99999999999999999999", nil),
            ("foo", nil), ("/foo/", nil), ("/foo/0/x", nil), ("/~2", nil), ("/~", nil), ("/nope", nil), ("//", nil),
            ("/m~00n", nil),
        ] as [(String, String?)])
    func followsPointers(_ pointer: String, _ expected: String?) throws {
        let value = try root(
            #"{"foo":["bar", "baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8,"o":{"p":[0,{"q":true}]}}"#
        )
        let found = value.at(pointer).map { text($0.raw) }
        #expect(found == (expected == "*" ? text(value.raw) : expected))
    }
}
