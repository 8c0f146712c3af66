import Bytes
import HTTPWire
import Testing

/// What is read of heads that are refused.
struct HeadScrapTests {
    @Test(arguments: [
        ("TRACE / HTTP/1.1\r\nHost: a\r\nOrigin: https://a\r\n\r\n", "https://a"),
        ("nonsense\norigin:https://a \nx", "https://a"), ("\r\nGET / HTTP/1.1\r\nORIGIN: b\r\n", "b"),
        // Not there, not whole, several, behind the head, in the request line.
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", nil), ("GET / HTTP/1.1\r\nOrigin: https://a", nil),
        ("GET / HTTP/1.1\r\nOrigin: a\r\nOrigin: b\r\n", nil), ("G\r\nHost: a\r\n\r\nOrigin: a\r\n", nil),
        ("Origin: a\r\nHost: b\r\n", nil), ("G\r\nOrigins: a\r\nOrigin\r\n X-Origin: a\r\n", nil), ("", nil),
    ])
    func origin(text: String, expected: String?) {
        let bytes = Array(text.utf8)
        let value = HeadScrap.value(of: "origin", in: bytes.span)
        #expect(value.map { String(decoding: $0, as: UTF8.self) } == expected)
    }
}
