import ContentCoding

/// Other character sets than UTF-8, for dialects that sign or send their bytes.
extension FunctionTable {
    static let charsets: [Function] = [
        Function(
            "charset.encode(string, string) -> bytes",
            summary:
                "The text in a character set (`gbk`, `big5`, `utf-16le`, `iso-8859-1`, ...); an error when a character "
                + "is not in it.",
            example: "charset.encode('中', 'gbk') == b'\\xd6\\xd0'",
            body: .binary { text, label throws(EvaluationError) in
                let (text, charset) = (Array(try text.requireString()), try named(label))
                do throws(ContentCodingError) {
                    return .bytes(try charset.encode(text)[...])
                } catch {
                    throw .argument("text that the character set cannot hold")
                }
            }),
        Function(
            "charset.decode(string|bytes, string) -> string", summary: "The text of bytes in a character set.",
            example: "charset.decode(b'\\xd6\\xd0', 'gbk') == '中'",
            body: .binary { bytes, label throws(EvaluationError) in
                let (bytes, charset) = (Array(try bytes.requireContents()), try named(label))
                do throws(ContentCodingError) {
                    return .text(try charset.decode(bytes))
                } catch {
                    throw .argument("bytes of another character set")
                }
            }),
    ]

    private static func named(_ label: Value) throws(EvaluationError) -> Charset {
        guard let charset = Charset(label: try label.requireString()), charset.isAvailable else {
            throw .argument(
                "unknown character set; such as utf-8, gbk, gb18030, big5, shift_jis, euc-kr, iso-8859-1, windows-1252")
        }
        return charset
    }
}
