import Testing

@testable import ContentCoding

@Suite struct ContentCodingTests {
    /// `{"a":1}`, as gzip, zlib and bare deflate data.
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xAB, 0x56, 0x4A, 0x54, 0xB2, 0x32, 0xAC, 0x05,
        0x00, 0xAF, 0xAC, 0x1B, 0x56, 0x07, 0x00, 0x00, 0x00,
    ]
    private static let zlib: [UInt8] = [
        0x78, 0x9C, 0xAB, 0x56, 0x4A, 0x54, 0xB2, 0x32, 0xAC, 0x05, 0x00, 0x08, 0x2A, 0x02, 0x09,
    ]
    private static let bare: [UInt8] = [0xAB, 0x56, 0x4A, 0x54, 0xB2, 0x32, 0xAC, 0x05, 0x00]
    private let text = Array("{\"a\":1}".utf8)

    @Test func eachCodingIsUndone() throws {
        #expect(try ContentCoding.gzip.decode(Self.gzip, limit: 100) == text)
        #expect(try ContentCoding.deflate.decode(Self.zlib, limit: 100) == text)
        #expect(try ContentCoding.deflate.decode(Self.bare, limit: 100) == text)
        #expect(try ContentCoding.gzip.decode(Self.gzip + Self.gzip, limit: 100) == text + text)
    }

    @Test func everyPrefixIsTruncated() {
        for count in 0..<Self.gzip.count {
            #expect(throws: ContentCodingError.truncated) {
                try ContentCoding.gzip.decode(Array(Self.gzip[..<count]), limit: 100)
            }
        }
    }

    @Test func aFlippedBitIsSeen() {
        for index in [0, 1, 2, 3] + Array(Self.gzip.indices.suffix(8)) {
            var bytes = Self.gzip
            bytes[index] ^= 0x40
            #expect(throws: ContentCodingError.self) { try ContentCoding.gzip.decode(bytes, limit: 100) }
        }
    }

    @Test func theEndIsTheEnd() {
        #expect(throws: ContentCodingError.trailing) { try ContentCoding.gzip.decode(Self.gzip + [0], limit: 100) }
        #expect(throws: ContentCodingError.trailing) { try ContentCoding.deflate.decode(Self.zlib + [0], limit: 100) }
    }

    @Test func theLimitsHold() throws {
        #expect(throws: ContentCodingError.tooLarge) { try ContentCoding.gzip.decode(Self.gzip, limit: 6) }
        #expect(try ContentCoding.gzip.decode(Self.gzip, limit: 7).count == 7)
    }

    @Test(arguments: [
        ("gzip", 1), ("x-GZIP", 1), ("identity", 0), ("", 0), ("deflate, gzip", 2), ("br", nil),
        ("gzip,gzip,gzip", nil),
        ("gzip, br", nil),
    ])
    func theListIsRead(_ value: String, _ count: Int?) {
        #expect(ContentCoding.list(Array(value.utf8)[...])?.count == count)
    }

    @Test(
        arguments: [
            ("gbk", [0xD6, 0xD0], "中"), ("GB2312", [0x81, 0x30, 0x81, 0x30], "\u{80}"), ("big5", [0xB3, 0x5C], "許"),
            ("Shift_JIS", [0x95, 0x5C], "表"), ("euc-jp", [0xC9, 0xBD], "表"), ("euc-kr", [0xB0, 0xA1], "가"),
            ("iso-8859-1", [0x80, 0xE9], "€é"), ("utf-16le", [0x2D, 0x4E], "中"), ("utf-16be", [0x4E, 0x2D], "中"),
            ("koi8-r", [0xC1], "а"), ("windows-1251", [0xE0], "а"),
        ] as [(String, [UInt8], String)])
    func charsetsBecomeUTF8(_ label: String, _ bytes: [UInt8], _ expected: String) throws {
        let charset = try #require(Charset(label: label.utf8))
        #expect(charset.isAvailable)
        #expect(String(decoding: try charset.decode(bytes), as: UTF8.self) == expected)
    }

    @Test(
        arguments: [("gbk", [0x81]), ("gbk", [0xFF, 0xFF]), ("utf-8", [0xC3]), ("utf-16le", [0x00]), ("big5", [0xFF])]
            as [(String, [UInt8])])
    func whatIsNoTextIsAnError(_ label: String, _ bytes: [UInt8]) throws {
        let charset = try #require(Charset(label: label.utf8))
        #expect(throws: ContentCodingError.corrupt) { try charset.decode(bytes) }
    }

    @Test func unknownLabelsAreUnknown() {
        #expect(Charset(label: "klingon".utf8) == nil && Charset(label: "utf-7".utf8) == nil)
    }
}
