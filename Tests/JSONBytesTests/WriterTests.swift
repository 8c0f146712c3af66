import Bytes
import JSONBytes
import Testing

@Suite struct WriterTests {
    @Test func placesCommasAndColons() {
        var writer = JSONWriter(appendingTo: bytes("> "))
        writer.beginObject()
        writer.key("a")
        writer.int(-1)
        writer.key("b")
        writer.beginArray()
        writer.beginArray()
        writer.endArray()
        writer.beginObject()
        writer.endObject()
        writer.null()
        writer.bool(true)
        writer.bool(false)
        writer.endArray()
        writer.rawKey(bytes("\"c\":").span)
        writer.raw(bytes("{\"x\": 1.10}").span)
        writer.key("d")
        writer.string("e")
        writer.endObject()
        #expect(text(writer.bytes) == #"> {"a":-1,"b":[[],{},null,true,false],"c":{"x": 1.10},"d":"e"}"#)
        _ = writer.take()
        writer.uint(.max)
        #expect(text(writer.take()) == "18446744073709551615")
    }

    @Test(
        arguments: [
            (0, 3, "0.000"), (12345, 3, "12.345"), (7, 3, "0.007"), (1_000_000, 6, "1.000000"), (5, 0, "5"),
            (5, -2, "5"), (1, 99, "0.000000001"),
            (UInt64.max, 9, "18446744073.709551615"),
        ] as [(UInt64, Int, String)])
    func writesFixedPointNumbers(_ value: UInt64, _ decimals: Int, _ expected: String) {
        var writer = JSONWriter()
        writer.beginArray()
        writer.fixed(value, decimals: decimals)
        writer.fixed(value, decimals: decimals)
        writer.endArray()
        #expect(text(writer.bytes) == "[\(expected),\(expected)]")
    }

    @Test(arguments: [
        (0.1, "0.1"), (1, "1.0"), (-2.5e-7, "-2.5e-07"), (1e300, "1e+300"), (.infinity, "null"), (.nan, "null"),
        (.leastNonzeroMagnitude, "5e-324"),
    ])
    func writesDoublesThatAreJSON(_ value: Double, _ expected: String) throws {
        var writer = JSONWriter()
        writer.double(value)
        #expect(text(writer.bytes) == expected)
        #expect(try JSONDocument(parsing: writer.bytes).root.double == (value.isFinite ? value : nil))
    }

    @Test(arguments: [
        ("plain é€𝄞", "plain é€𝄞"), ("q\" b\\ s/", #"q\" b\\ s/"#),
        ("\u{8}\t\n\u{C}\r\u{0}\u{1F}", #"\b\t\n\f\r\u0000\u001f"#),
        ("\u{7F}\u{202E}\u{2028}", "\u{7F}\u{202E}\u{2028}"),
    ])
    func escapesWhatMustBe(_ plain: String, _ expected: String) {
        var writer = JSONWriter()
        writer.string(bytes(plain).span)
        #expect(text(writer.bytes) == "\"\(expected)\"")
    }

    @Test func escapesWhatHidesInALog() {
        var writer = JSONWriter(escapesInvisible: true)
        writer.string(bytes("a\u{7F}\u{9B}\u{AD}\u{200B}\u{202E}\u{2066}\u{FEFF}\u{2028}é\u{1F600}").span)
        #expect(text(writer.bytes) == #""a\u007f\u009b\u00ad\u200b\u202e\u2066\ufeff\u2028é😀""#)
    }

    @Test func replacesWhatIsNoUTF8() throws {
        var writer = JSONWriter()
        writer.string(([0x61, 0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80, 0xC3] as [UInt8]).span)
        #expect(text(writer.bytes) == "\"a\u{FFFD}\u{FFFD}(\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\"")
        #expect(refusal(writer.bytes) == nil)
    }

    /// Random bytes: always valid JSON; valid UTF-8 comes back unchanged, with and without the stricter escaping.
    @Test(arguments: [false, true])
    func everyStringComesBack(_ escapesInvisible: Bool) throws {
        var generator = SystemRandomNumberGenerator()
        for round in 0..<2000 {
            var source: [UInt8] = []
            for _ in 0..<Int.random(in: 0...40, using: &generator) {
                if round % 2 == 0 {
                    source.append(UInt8.random(in: 0...255, using: &generator))
                } else {
                    UTF8Sequence.append(
                        UInt32.random(in: 0...0x10FFFF, using: &generator)
                            >> UInt32.random(in: 0...20, using: &generator), to: &source)
                }
            }
            var writer = JSONWriter(escapesInvisible: escapesInvisible)
            writer.beginObject()
            writer.key(source.span)
            writer.string(source.span)
            writer.endObject()
            let value = try JSONDocument(parsing: writer.bytes).root
            #expect(value.count == 1)
            let member = try #require(value.members.first { _ in true })
            let expected = String(decoding: source, as: UTF8.self)
            if UTF8Sequence.isValid(source.span) {
                #expect(member.key.string == source && member.value.string == source)
                #expect(member.value.says(expected))
            } else {
                // By scalar: a combining mark behind it would make another character of it.
                #expect(text(member.value.string ?? []).unicodeScalars.contains("\u{FFFD}"))
            }
            #expect(UTF8Sequence.isValid(source.span) == (Array(expected.utf8) == source))
        }
    }
}
