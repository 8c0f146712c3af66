import Bytes
import HTTPWire
import Testing

@Suite struct AnswerReaderTests {
    private struct Outcome: Equatable {
        var statuses: [Int] = []
        var body = ""
        var isEnded = false
        var excess = 0
        var fault: WireFault?
    }

    /// Reads the text in pieces of `size`; a piece ends a read.
    private func read(_ text: String, isHead: Bool = false, by size: Int = .max) -> Outcome {
        let bytes = Array(text.utf8)
        var reader = AnswerReader(isHead: isHead, maxFields: 200, maxInterim: 16)
        var outcome = Outcome()
        var start = 0
        while start < bytes.count, !outcome.isEnded, outcome.fault == nil {
            let end = min(start + min(size, bytes.count), bytes.count)
            let piece = Array(bytes[start..<end])
            step(&reader, piece, &outcome)
            start = end
        }
        if outcome.isEnded { outcome.excess += bytes.count - start }
        if !outcome.isEnded, outcome.fault == nil { outcome.isEnded = reader.endsWithConnection }
        return outcome
    }

    private func step(_ reader: inout AnswerReader, _ piece: [UInt8], _ outcome: inout Outcome) {
        var position = 0
        do throws(WireFault) {
            while true {
                switch try reader.next(piece.span, at: &position) {
                case .needMore: return
                case .head: outcome.statuses.append(reader.head.status)
                case .body(let range): outcome.body += String(decoding: piece[range], as: UTF8.self)
                case .end:
                    outcome.isEnded = true
                    outcome.excess = piece.count - position
                    return
                }
            }
        } catch {
            outcome.fault = error
        }
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", Outcome(statuses: [200], body: "ok", isEnded: true)),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokEXTRA",
                Outcome(statuses: [200], body: "ok", isEnded: true, excess: 5)
            ),
            ("HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\nEXTRA", Outcome(statuses: [204], isEnded: true, excess: 5)),
            (
                "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 103 E\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                Outcome(statuses: [200], isEnded: true)
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1;a=b\r\n!\r\n0\r\nT: v\r\n\r\nX",
                Outcome(statuses: [200], body: "ok!", isEnded: true, excess: 1)
            ),
            ("HTTP/1.0 200 OK\r\n\r\nto the end", Outcome(statuses: [200], body: "to the end", isEnded: true)),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok", Outcome(statuses: [200], body: "ok")),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nokX",
                Outcome(statuses: [200], body: "ok", fault: .badChunk)
            ),
            ("HTTP/1.1 200 OK\nContent-Length: 2\n\nok", Outcome(statuses: [200], body: "ok", isEnded: true)),
            ("HTTP/1.1 200 OK\r\nX: a\rb\r\n\r\n", Outcome(fault: .badFieldValue)),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
                Outcome(statuses: [200], body: "ok", isEnded: true)
            ),
        ] as [(String, Outcome)])
    private func `however the bytes are split, an answer reads the same`(text: String, expected: Outcome) {
        for size in [Int.max, 1, 2, 3, 7, 16, 64] { #expect(read(text, by: size) == expected, "by \(size)") }
    }

    @Test func `a HEAD has no body, whatever it declares`() {
        let outcome = read("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", isHead: true)
        #expect(outcome == Outcome(statuses: [200], isEnded: true, excess: 2))
    }

    /// A peer of another protocol may never send a line end: waiting for one would end in a timeout.
    @Test(arguments: ["SSH-2.0-x", "\u{15}\u{3}\u{1}", "ok", "<html>", "HTTPS"])
    func `what cannot become an answer is refused before its line ends`(text: String) {
        #expect(read(text).fault == .badStatusLine)
        #expect(read(text, by: 1).fault == .badStatusLine)
    }

    @Test func `a line without an end has a bound`() {
        let text = "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 300_000)
        #expect(read(text, by: 1000).fault == .headTooLarge)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: x, Close\r\n\r\n", false),
        ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false),
        ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: Keep-Alive\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\n\r\n", false),
        ("HTTP/1.1 100 C\r\nConnection: close\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true),
    ])
    func `the head says whether the connection stays`(text: String, keeps: Bool) throws {
        var reader = AnswerReader(isHead: false, maxFields: 200, maxInterim: 16)
        var position = 0
        let bytes = Array(text.utf8)
        #expect(try reader.next(bytes.span, at: &position) == .head)
        #expect(reader.head.keepsConnection == keeps)
    }
}
