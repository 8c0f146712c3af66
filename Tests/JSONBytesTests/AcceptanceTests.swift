import Bytes
import JSONBytes
import Testing

/// Which texts are JSON: tables in the order of RFC 8259.
@Suite struct AcceptanceTests {
    static let accepted: [String] = [
        // structure and blanks
        "{}", "[]", " [] ", "\t\n\r {} \r\n\t", "[[]   ]", "[1\n]", "[{}, [], \"\", 0, true, false, null]", "[[[[]]]]",
        "{\"a\":{\"b\":[1,{\"c\":null}]}}", "{\"\":0}", "{\"a\":\"b\",\"a\":\"c\"}", "{\"a\":1,\"a\":1}",
        "{\"a\":\n\"b\"}",
        "{\"min\": -1.0e+28, \"max\": 1.0e+28}",
        "{\"x\":[{\"id\": \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}], \"id\": \"x\"}",
        // scalars on the top level
        "42", "-0.1", "\"asd\"", "\"\"", "true", "false", "null", "  7  ", "0",
        // numbers
        "[0]", "[-0]", "[0e1]", "[0e+1]", "[1E22]", "[1E-2]", "[1E+2]", "[123e45]", "[123.456e78]", "[1e-2]", "[20e1]",
        "[-123]", "[-1]", "[123.456789]", "[-0.000000000000000000000000000000000000000000000000000000000001]",
        "[1.5e+9999]", "[1e400]", "[-237462374673276894279832749832423479823246327846]", "[0.1]", "[-0.0]",
        // strings
        #"["\u0060\u012a\u12AB"]"#, #"["\uD801\udc37"]"#, #"["\ud83d\ude39\ud83d\udc8d"]"#, #"["\"\\\/\b\f\n\r\t"]"#,
        #"["\\u0000"]"#, #"["\""]"#, "[\"a/*b*/c/*d//e\"]", #"["\\a"]"#, #"["\\n"]"#, #"["\u0012"]"#, #"["\uFFFF"]"#,
        #"["\u0000"]"#, "[\"\u{7F}\"]", "[\"\u{FFFF}\"]", "[\"\u{10FFFF}\"]", "[\"\u{20AC}\u{1D11E}\"]",
        "[\"\u{2028}\"]",
        "[\"\u{FEFF}\"]", #"["new\u000Aline"]"#, #"["\u0061\u30af\u30EA\u30b9"]"#, "{\"\u{E9}\":1}", #"{"\u0065":1}"#,
        // half pairs are syntax, not text
        #"["\uD800"]"#, #"["\uDADA"]"#, #"["\uD888\u1234"]"#, #"["\uDd1ea"]"#, #"["\ud800abc"]"#, #"["\uDFAA"]"#,
        #"["\uD800\uD800\n"]"#, #"["\uDd1e\uD834"]"#,
    ]

    @Test(arguments: accepted)
    func acceptsEveryTextOfTheGrammar(_ text: String) {
        #expect(refusal(bytes(text)) == nil)
    }

    static let refused: [(String, JSONError.Kind, Int)] = [
        ("", .unexpectedEnd, 0), (" ", .unexpectedEnd, 1), ("\u{FEFF}{}", .unexpectedByte, 0),
        ("<.>", .unexpectedByte, 0),
        ("[", .unexpectedEnd, 1), ("{", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3),
        ("[1,]", .unexpectedByte, 3), ("[,1]", .unexpectedByte, 1), ("[1,,2]", .unexpectedByte, 3),
        ("[,]", .unexpectedByte, 1),
        ("[1 true]", .unexpectedByte, 3), ("[\"\",]", .unexpectedByte, 4), ("[3[4]]", .unexpectedByte, 2),
        ("[1}", .unexpectedByte, 2), ("{]", .unexpectedByte, 1), ("[1]]", .trailingBytes, 3),
        ("{}}", .trailingBytes, 2),
        ("{} x", .trailingBytes, 3), ("[]\u{0}", .trailingBytes, 2), ("[1][2]", .trailingBytes, 3),
        ("2@", .trailingBytes, 1),
        ("{\"a\":1,}", .unexpectedByte, 7), ("{\"a\" 1}", .unexpectedByte, 5), ("{\"a\"}", .unexpectedByte, 4),
        ("{\"a\":}", .unexpectedByte, 5), ("{:1}", .unexpectedByte, 1), ("{a:1}", .unexpectedByte, 1),
        ("{1:1}", .unexpectedByte, 1),
        ("{'a':0}", .unexpectedByte, 1), ("{\"a\"::1}", .unexpectedByte, 5), ("{\"a\":1,,\"b\":2}", .unexpectedByte, 7),
        ("{\"a\":1 \"b\":2}", .unexpectedByte, 7), ("{null:null}", .unexpectedByte, 1),
        ("[\"a\":1]", .unexpectedByte, 4),
        ("{\"a\":1/**/}", .unexpectedByte, 6), ("[1]//", .trailingBytes, 3), ("{\"a\":", .unexpectedEnd, 5),
        ("{\"a", .unexpectedEnd, 3),
        ("[\u{0C}]", .unexpectedByte, 1), ("[\u{A0}]", .unexpectedByte, 1), ("[\u{2060}]", .unexpectedByte, 1),
        ("\u{0B}1", .unexpectedByte, 0),
        // words
        ("tru", .unexpectedEnd, 3), ("[nul]", .unexpectedByte, 4), ("[fals", .unexpectedEnd, 5),
        ("True", .unexpectedByte, 0),
        ("[truE]", .unexpectedByte, 4), ("nulll", .trailingBytes, 4), ("NaN", .unexpectedByte, 0),
        ("[Infinity]", .unexpectedByte, 1),
        ("[-Infinity]", .invalidNumber, 2), ("undefined", .unexpectedByte, 0),
        // numbers
        ("-", .invalidNumber, 1), ("[-]", .invalidNumber, 2), ("+1", .unexpectedByte, 0), ("[01]", .invalidNumber, 2),
        ("[-012]", .invalidNumber, 3), ("[00]", .invalidNumber, 2), ("[1.]", .invalidNumber, 3),
        ("[.5]", .unexpectedByte, 1),
        ("[-.5]", .invalidNumber, 2), ("[1.e1]", .invalidNumber, 3), ("[1e]", .invalidNumber, 3),
        ("[1e+]", .invalidNumber, 4),
        ("[1E-", .invalidNumber, 4), ("[1eE2]", .invalidNumber, 3), ("[1.2.3]", .unexpectedByte, 4),
        ("[0x1]", .unexpectedByte, 2),
        ("[1 000]", .unexpectedByte, 3), ("[1_000]", .unexpectedByte, 2), ("[--1]", .invalidNumber, 2),
        ("[1e1.5]", .unexpectedByte, 4),
        ("[\u{FF11}]", .unexpectedByte, 1), ("[1a]", .unexpectedByte, 2), ("[- 1]", .invalidNumber, 2),
        ("[1ea]", .invalidNumber, 3),
        // strings
        ("\"", .unexpectedEnd, 1), ("[\"a]", .unexpectedEnd, 4), ("['a']", .unexpectedByte, 1),
        ("[\"\t\"]", .controlInString, 2),
        ("[\"\n\"]", .controlInString, 2), ("[\"\u{0}\"]", .controlInString, 2), ("[\"\u{1F}\"]", .controlInString, 2),
        (#"["\x00"]"#, .invalidEscape, 2), (#"["\a"]"#, .invalidEscape, 2), (#"["\'"]"#, .invalidEscape, 2),
        (#"["\U0041"]"#, .invalidEscape, 2), (#"["\u00A"]"#, .invalidEscape, 2), (#"["\u"#, .unexpectedEnd, 2),
        (#"["\u00Zz"]"#, .invalidEscape, 2), (#"["\uD800\u"]"#, .unexpectedEnd, 8),
        (#"["\uD800\uZZZZ"]"#, .invalidEscape, 8),
        (#"["\"#, .unexpectedEnd, 3), (#"["\"]"#, .unexpectedEnd, 5), (#"["a\ "]"#, .invalidEscape, 3),
        ("[\"a\"b]", .unexpectedByte, 4),
        (#"[\n]"#, .unexpectedByte, 1), (#"[\u0022a"]"#, .unexpectedByte, 1), ("{\"a\tb\":1}", .controlInString, 3),
    ]

    @Test(arguments: refused)
    func refusesWithKindAndOffset(_ text: String, _ kind: JSONError.Kind, _ offset: Int) {
        #expect(refusal(bytes(text)) == JSONError(kind, at: offset))
    }

    /// Overlong forms, surrogates in UTF-8, stray tails, cut sequences, beyond U+10FFFF, bytes no UTF-8 uses.
    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF0, 0x9D, 0x84],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFC, 0x83, 0xBF, 0xBF], [0xFF], [0xE9],
        ] as [[UInt8]])
    func refusesIllFormedUTF8InValuesAndKeys(_ sequence: [UInt8]) {
        #expect(refusal([0x5B, 0x22] + sequence + [0x22, 0x5D]) == JSONError(.invalidUTF8, at: 2))
        #expect(refusal([0x7B, 0x22] + sequence + [0x22, 0x3A, 0x30, 0x7D]) == JSONError(.invalidUTF8, at: 2))
    }

    @Test func refusesUTF16() {
        #expect(refusal([0xFF, 0xFE, 0x5B, 0, 0x5D, 0])?.offset == 0)
        #expect(refusal([0, 0x5B, 0, 0x5D])?.offset == 0)
        #expect(refusal([0x5B, 0, 0x5D, 0]) == JSONError(.unexpectedByte, at: 1))
    }

    /// Any cut of a valid text is refused and none traps; likewise any one byte changed to any other.
    @Test func survivesEveryCutAndEveryChangedByte() throws {
        let whole = bytes(#"{"a\u00e9\ud83d\ude39":[1,-2.5e+3,true,false,null,"é€𝄞\n",{"b":{}}],"c":[[]]}"#)
        for end in whole.indices { #expect(refusal(Array(whole[..<end])) != nil) }
        var accepted = 0
        for index in whole.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = whole
                changed[index] = byte
                guard let document = try? JSONDocument(parsing: changed) else { continue }
                accepted += 1
                for member in document.root.members { _ = (member.key.string, member.value.count, member.value.double) }
            }
        }
        #expect(accepted > whole.count)
    }

    /// Strings are read eight bytes at a time: each byte must count the same at each place of a word, in a key too.
    @Test func everyByteIsSeenAtEveryPlaceOfAString() {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<18 {
                var content = [UInt8](repeating: 0x61, count: 18)
                content[place] = byte
                for (before, after) in [("[\"", "\",0]"), ("{\"", "\":0}")] {
                    let kind: JSONError.Kind? =
                        switch byte {
                        case 0x00..<0x20: .controlInString
                        case 0x22: .unexpectedByte
                        case 0x5C: .invalidEscape
                        case 0x80...: .invalidUTF8
                        default: nil
                        }
                    let error = refusal(bytes(before) + content + bytes(after))
                    if byte == 0x5C, place == 17 {
                        // The quote behind it is escaped, so the string has no end.
                        #expect(error?.kind == .unexpectedEnd)
                    } else {
                        let offset = place + (byte == 0x22 ? 3 : 2)
                        #expect(error == kind.map { JSONError($0, at: offset) }, "\(byte) at \(place)")
                    }
                }
            }
        }
    }

    /// What follows a token at once is read with it, what follows blanks is not: both must come to the same.
    @Test(arguments: accepted)
    func blanksBetweenTokensChangeNothing(_ text: String) throws {
        let value = try root(text)
        let (tight, wide) = (laid(value, gap: ""), laid(value, gap: " \n"))
        #expect(laid(try JSONDocument(parsing: tight).root, gap: " \n") == wide)
        #expect(laid(try JSONDocument(parsing: wide).root, gap: "") == tight)
    }

    /// The value's text with `gap` around each token.
    private func laid(_ value: JSONValue, gap: String) -> [UInt8] {
        let gap = bytes(gap)
        switch value.kind {
        case .array:
            let parts = value.elements.map { laid($0, gap: text(gap)) }
            return bytes("[") + gap + parts.joined(separator: gap + bytes(",") + gap) + gap + bytes("]")
        case .object:
            let parts = value.members.map {
                Array($0.key.raw) + gap + bytes(":") + gap + laid($0.value, gap: text(gap))
            }
            return bytes("{") + gap + parts.joined(separator: gap + bytes(",") + gap) + gap + bytes("}")
        default: return Array(value.raw)
        }
    }
}
