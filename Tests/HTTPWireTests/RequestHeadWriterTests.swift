import Bytes
import HTTPWire
import Testing

@Suite struct RequestHeadWriterTests {
    private func write(
        _ method: String = "GET", _ target: String = "/", host: String = "h", _ fields: [(String, String)] = [],
        _ framing: RequestHeadWriter.Framing = .none
    ) -> String? {
        var block = PairBlock()
        for (name, value) in fields { block.append(name: Array(name.utf8), value: Array(value.utf8)) }
        var output: [UInt8] = []
        let isGood = RequestHeadWriter.append(
            method: Array(method.utf8), target: Array(target.utf8), host: Array(host.utf8), fields: block,
            framing: framing, to: &output)
        return isGood ? String(decoding: output, as: UTF8.self) : nil
    }

    @Test func `a head is written as given, framing last`() {
        #expect(
            write("PUT", "/a?b=%20", host: "x:1", [("A", "1"), ("B", "")], .length(12))
                == "PUT /a?b=%20 HTTP/1.1\r\nHost: x:1\r\nA: 1\r\nB:\r\nContent-Length: 12\r\n\r\n")
        #expect(write("OPTIONS", "*") == "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(write("POST", "/é", .chunked) == "POST /é HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
    }

    private func write(_ method: String, _ target: String, _ framing: RequestHeadWriter.Framing) -> String? {
        write(method, target, host: "h", [], framing)
    }

    @Test(arguments: ["Host", "content-LENGTH", "Transfer-Encoding", "expect"])
    func `a second field of our own is left out`(name: String) {
        #expect(write("GET", "/", host: "h", [(name, "5"), ("A", "1")]) == "GET / HTTP/1.1\r\nHost: h\r\nA: 1\r\n\r\n")
    }

    @Test(arguments: ["a\r\nX: y", "a\nb", "a\rb", "a\0b", "a\u{7F}"])
    func `nothing splits a head`(text: String) {
        #expect(write("GET", "/", host: "h", [("A", text)]) == nil)
        #expect(write("GET", "/", host: "h", [(text, "v")]) == nil)
        #expect(write("GET", "/", host: text) == nil)
        #expect(write("GET", "/" + text) == nil)
        #expect(write(text, "/") == nil)
    }

    @Test(arguments: ["", "x", "http://h/", "**", "/a b", "/\t"])
    func `a target is origin-form, without blanks`(target: String) { #expect(write("GET", target) == nil) }

    @Test func `an empty name or method is no head`() {
        #expect(write("", "/") == nil)
        #expect(write("GET", "/", host: "h", [("", "v")]) == nil)
    }
}
