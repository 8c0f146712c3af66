import Testing

@testable import ContentCoding

/// Out of UTF-8 into other character sets.
struct CharsetEncodingTests {
    @Test(
        arguments: [
            ("gbk", "中文 a", [0xD6, 0xD0, 0xCE, 0xC4, 0x20, 0x61]), ("big5", "中", [0xA4, 0xA4]),
            ("utf-16le", "aé", [0x61, 0x00, 0xE9, 0x00]), ("iso-8859-1", "é€", [0xE9, 0x80]),
            ("gb18030", "😀", [0x94, 0x39, 0xFC, 0x36]), ("utf-32be", "a", [0, 0, 0, 0x61]),
            ("iso-2022-jp", "日", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42]), ("gbk", "", []),
        ] as [(String, String, [UInt8])])
    func encodes(label: String, text: String, bytes: [UInt8]) throws {
        let charset = try #require(Charset(label: label.utf8))
        #expect(try charset.encode(Array(text.utf8)) == bytes)
        #expect(try charset.decode(bytes) == Array(text.utf8))
    }

    @Test(arguments: [("iso-8859-1", "中"), ("shift_jis", "😀"), ("big5", "é😀")])
    func whatIsNotInTheSetIsAnError(label: String, text: String) throws {
        let charset = try #require(Charset(label: label.utf8))
        #expect(throws: ContentCodingError.corrupt) { try charset.encode(Array(text.utf8)) }
    }

    @Test func brokenUTF8IsAnError() throws {
        let charset = try #require(Charset(label: "gbk".utf8))
        #expect(throws: ContentCodingError.corrupt) { try charset.encode([0x61, 0xFF]) }
    }
}
