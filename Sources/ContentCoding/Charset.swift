import Bytes
import CContent

/// A character encoding that glibc's iconv turns into UTF-8. Names follow the WHATWG Encoding Standard: what servers label
/// `gb2312` is GB18030, `iso-8859-1` is windows-1252.
package struct Charset: Sendable, Equatable {
    /// As iconv knows it.
    package let name: String
    /// GBK, or what is called so: read as GB18030, which holds it, but written in at most two bytes (WHATWG Encoding 10.1).
    private let isTwoByte: Bool

    package static let utf8 = Charset(name: "UTF-8")
    /// As the WHATWG reads it: windows-1252.
    package static let latin1 = Charset(name: "CP1252")
    package static let utf16LittleEndian = Charset(name: "UTF-16LE")
    package static let utf16BigEndian = Charset(name: "UTF-16BE")

    /// `nil` for an unknown label; case does not matter.
    package init?(label: some Sequence<UInt8>) {
        let lower = String(decoding: label.map(ASCII.lower), as: UTF8.self)
        guard let name = Charset.names[lower] else { return nil }
        self.name = name
        isTwoByte = name == "GB18030" && lower != "gb18030"
    }

    private init(name: String) {
        self.name = name
        isTwoByte = false
    }

    package var isUTF8: Bool { name == "UTF-8" }

    /// A byte of ASCII below 0x30 is that character and no part of another, so that `&`, `=`, `%` and quotes are what they
    /// seem. Not so in UTF-16, UTF-32 and the shifts of ISO-2022.
    package var keepsASCII: Bool {
        !name.hasPrefix("UTF-16") && !name.hasPrefix("UTF-32") && !name.hasPrefix("ISO-2022")
    }

    /// The system has the converter: a minimal one may lack glibc's gconv modules.
    package var isAvailable: Bool { (try? decode([])) != nil }

    /// UTF-8 out of this. Strict: a sequence that means nothing is an error, never a replacement character.
    package func decode(_ bytes: [UInt8]) throws(ContentCodingError) -> [UInt8] {
        // A single byte becomes three at most (a currency sign in windows-1252), two bytes six.
        try Charset.convert(bytes, from: name, to: "UTF-8", capacity: bytes.count * 3 + 16)
    }

    /// This out of UTF-8. Strict: a character that is not in the set is an error, and nothing is put in its place.
    package func encode(_ text: [UInt8]) throws(ContentCodingError) -> [UInt8] {
        // One ASCII byte becomes four in UTF-32; a stateful set (ISO-2022-JP) adds three around a character.
        let bytes = try Charset.convert(text, from: "UTF-8", to: name, capacity: text.count * 4 + 16)
        guard isTwoByte else { return bytes }
        guard let short = Charset.twoByte(bytes) else { throw .corrupt }
        return short
    }

    /// GB18030 as GBK: `nil` where a character takes four bytes. The euro sign is one byte there.
    private static func twoByte(_ bytes: [UInt8]) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let lead = bytes[index]
            guard lead >= 0x81, index + 1 < bytes.count else {
                output.append(lead)
                index += 1
                continue
            }
            let second = bytes[index + 1]
            if second < 0x40 { return nil }
            if lead == 0xA2, second == 0xE3 { output.append(0x80) } else { output += [lead, second] }
            index += 2
        }
        return output
    }

    private static func convert(
        _ bytes: [UInt8], from: String, to target: String, capacity: Int
    ) throws(ContentCodingError) -> [UInt8] {
        let descriptor = unsafe iconv_open(target, from)
        guard unsafe descriptor != UnsafeMutableRawPointer(bitPattern: -1) else { throw .unsupported }
        defer { unsafe iconv_close(descriptor) }
        var output = [UInt8](repeating: 0, count: capacity)
        var input = bytes
        var (inputLeft, outputLeft) = (input.count, output.count)
        let isWhole = unsafe input.withUnsafeMutableBytes { source in
            unsafe output.withUnsafeMutableBytes { room -> Bool in
                var start = unsafe source.baseAddress?.assumingMemoryBound(to: CChar.self)
                var into = unsafe room.baseAddress?.assumingMemoryBound(to: CChar.self)
                // -1 is an error; a count above 0 tells of characters that had no exact counterpart.
                guard unsafe iconv(descriptor, &start, &inputLeft, &into, &outputLeft) == 0 else { return false }
                // Back to the initial state (ISO-2022-JP).
                return unsafe iconv(descriptor, nil, nil, &into, &outputLeft) == 0
            }
        }
        guard isWhole, inputLeft == 0 else { throw .corrupt }
        output.removeLast(outputLeft)
        return output
    }

    private static let names: [String: String] = {
        let groups: [(String, String)] = [
            ("UTF-8", "utf-8 utf8 unicode-1-1-utf-8 us-ascii ascii"),
            ("GB18030", "gb18030 gbk gb2312 gb_2312 gb_2312-80 x-gbk cp936 windows-936 ms936 euc-cn csgb2312 chinese"),
            ("BIG5-HKSCS", "big5 big5-hkscs cn-big5 x-x-big5 csbig5"), ("CP950", "cp950 windows-950"),
            ("CP932", "shift_jis shift-jis sjis x-sjis windows-31j ms932 cp932 ms_kanji csshiftjis"),
            ("EUC-JP", "euc-jp x-euc-jp"), ("ISO-2022-JP", "iso-2022-jp"),
            ("CP949", "euc-kr ks_c_5601-1987 korean ksc5601 windows-949 cp949"),
            ("CP1252", "windows-1252 cp1252 iso-8859-1 iso8859-1 latin1 iso_8859-1 l1"),
            ("CP1254", "windows-1254 cp1254 iso-8859-9 latin5"), ("CP874", "windows-874 tis-620 iso-8859-11"),
            ("CP1250", "windows-1250 cp1250"), ("CP1251", "windows-1251 cp1251"), ("CP1253", "windows-1253 cp1253"),
            ("CP1255", "windows-1255 cp1255"), ("CP1256", "windows-1256 cp1256"), ("CP1257", "windows-1257 cp1257"),
            ("CP1258", "windows-1258 cp1258"), ("KOI8-R", "koi8-r koi8"), ("KOI8-U", "koi8-u"),
            ("ISO-8859-2", "iso-8859-2 latin2"), ("ISO-8859-3", "iso-8859-3"), ("ISO-8859-4", "iso-8859-4"),
            ("ISO-8859-5", "iso-8859-5"), ("ISO-8859-6", "iso-8859-6"), ("ISO-8859-7", "iso-8859-7"),
            ("ISO-8859-8", "iso-8859-8"), ("ISO-8859-10", "iso-8859-10"), ("ISO-8859-13", "iso-8859-13"),
            ("ISO-8859-14", "iso-8859-14"), ("ISO-8859-15", "iso-8859-15 latin9"), ("ISO-8859-16", "iso-8859-16"),
            ("UTF-16LE", "utf-16 utf-16le"), ("UTF-16BE", "utf-16be"), ("UTF-32LE", "utf-32 utf-32le"),
            ("UTF-32BE", "utf-32be"),
        ]
        var names: [String: String] = [:]
        for (name, labels) in groups { for label in labels.split(separator: " ") { names[String(label)] = name } }
        return names
    }()
}
