import ContentCoding

private let charsets = [
    "gbk", "gb18030", "big5", "shift_jis", "iso-2022-jp", "utf-16le", "utf-32be", "iso-8859-1", "utf-8",
]
.compactMap { Charset(label: $0.utf8) }

/// The first byte chooses a coding and a character set, the rest is the body: no trap, never more than the limit, and what
/// was decoded into text can be written again.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let first = input.first else { return 0 }
    let body = Array(input.dropFirst())
    let names = ["gzip", "deflate", "identity", "x-gzip"]
    if let codings = ContentCoding.list(ArraySlice(names[Int(first & 3)].utf8)) {
        for coding in codings {
            if let output = try? coding.decode(body, limit: 100_000), output.count > 100_000 { fatalError("too large") }
        }
    }
    _ = ContentCoding.list(body[...])
    _ = Charset(label: body)
    let charset = charsets[Int(first >> 2) % charsets.count]
    // glibc passes an escape that begins no known sequence on as it is; written again it would begin one.
    if let text = try? charset.decode(body), !text.contains(0x1B) {
        if let again = try? charset.encode(text), (try? charset.decode(again)) != text { fatalError("another text") }
    }
    return 0
}
