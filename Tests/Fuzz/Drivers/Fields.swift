import Bytes
import Domain

/// Any text as the fields of an answer that are read by hand: cookies, challenges, and the names of signed components
/// (structured fields). No trap; a cookie jar answers with a clean line.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    var fields = PairBlock()
    for line in input.split(separator: 0x0A, maxSplits: 8) {
        fields.append(name: Array("Set-Cookie".utf8), value: Array(line))
        fields.append(name: Array("WWW-Authenticate".utf8), value: Array(line))
        fields.append(name: Array("Authentication-Info".utf8), value: Array(line))
    }
    let site = CookieSite(host: Array("a.example.com".utf8), isSecure: count % 2 == 0)
    let jar = CookieJar()
    jar.store(fields, from: site, path: Array("/a/b".utf8), wall: 1_700_000_000)
    let line = jar.header(to: site, path: ArraySlice("/a/b/c".utf8), wall: 1_700_000_001)
    if line.contains(where: { $0 < 0x20 || $0 == 0x7F }) { fatalError("a control in a Cookie line") }
    var session = DigestSession()
    if session.answered(status: 401, fields: fields, sent: nil) == .replay {
        let value = session.authorization(
            username: [0x75], password: [0x70], method: [0x47], uri: [0x2F], body: [], cnonce: [0x63])
        if value?.value.contains(where: { $0 < 0x20 || $0 == 0x7F }) != false {
            fatalError("a control in Authorization")
        }
        _ = session.answered(status: 200, fields: fields, sent: value?.sent)
    }
    _ = try? MessageComponent(parsing: String(decoding: input, as: UTF8.self))
    return 0
}
