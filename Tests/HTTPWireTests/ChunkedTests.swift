import Bytes
import HTTPWire
import Testing

@Suite("Chunked coding")
struct ChunkedTests {
    private func decode(
        _ input: [UInt8], pieces: [Int]? = nil, limits: WireLimits = .init(), bodyLimit: UInt64 = .max
    ) -> (body: [UInt8], consumed: Int, state: ChunkProgress.State) {
        var decoder = ChunkedDecoder(limits: limits, bodyLimit: bodyLimit)
        var (body, consumed): ([UInt8], Int) = ([], 0)
        var state = ChunkProgress.State.needMore
        for piece in pieces ?? [input.count] where state == .needMore {
            let part = input[consumed...].prefix(piece)
            let progress = decoder.decode(part.span, into: &body)
            consumed += progress.consumed
            state = progress.state
        }
        return (body, consumed, state)
    }

    private func reason(_ input: String, limits: WireLimits = .init(), bodyLimit: UInt64 = .max) -> WireRefusal.Reason?
    {
        guard case .refused(let refusal) = decode(utf8(input), limits: limits, bodyLimit: bodyLimit).state else {
            return nil
        }
        return refusal.reason
    }

    @Test(arguments: [
        ("0\r\n\r\n", ""), ("5\r\nhello\r\n0\r\n\r\n", "hello"),
        ("5\r\nhello\r\n1\r\n!\r\n000\r\nA: b\r\n\r\n", "hello!"),
        ("5;a;b=c;d=\"e;\\\"\u{9}\"\r\nhello\r\n0;z\r\n\r\n", "hello"),
        ("0000000000000001\r\nx\r\n0\r\nX-Sum:\r\nY: \t z\r\n\r\n", "x"),
    ])
    func accepted(_ input: String, _ body: String) {
        let bytes = utf8(input + "GET /next")
        let whole = decode(bytes)
        #expect(whole.state == .done)
        #expect(text(whole.body) == body)
        #expect(whole.consumed == bytes.count - 9)
        for cut in 1..<bytes.count {
            let split = decode(bytes, pieces: [cut, bytes.count])
            #expect(
                split.state == .done && split.body == whole.body && split.consumed == whole.consumed, "cut at \(cut)")
        }
        #expect(decode(bytes, pieces: Array(repeating: 1, count: bytes.count)).body == whole.body)
    }

    @Test(arguments: [
        ("00000000000000001\r\n", WireRefusal.Reason.badChunk), ("5 \r\n", .badChunk), ("5 ;a\r\n", .badChunk),
        ("5;\r\n", .badChunk),
        ("5;a=\r\n", .badChunk), ("5;a=\"\u{1}", .badChunk), ("5;a=\"b\"c", .badChunk), ("5;a\n", .badChunk),
        ("5\n", .badChunk),
        ("g", .badChunk), ("\r\n", .badChunk), ("1\r\nxy", .badChunk), ("1\r\nx\n", .badChunk),
        ("0\r\n A: b", .badTrailer),
        ("0\r\nA b", .badTrailer), ("0\r\nA: b\n", .badTrailer), ("0\r\nA: \u{0}", .badTrailer),
        ("0\r\n:", .badTrailer),
        ("ffffffffffffffff\r\nx", .bodyTooLarge),
    ])
    func refused(_ input: String, _ expected: WireRefusal.Reason) {
        #expect(reason(input, bodyLimit: 1 << 40) == expected)
    }

    @Test func sumOfSizesCannotOverflow() {
        #expect(reason("1\r\nx\r\nffffffffffffffff\r\n") == .bodyTooLarge)
    }

    @Test func bodyLimitIsJudgedByTheSizeLine() {
        #expect(reason("5\r\n", bodyLimit: 5) == nil)
        #expect(reason("6\r\n", bodyLimit: 5) == .bodyTooLarge)
        #expect(reason("3\r\nabc\r\n3\r\n", bodyLimit: 5) == .bodyTooLarge)
    }

    @Test func limits() {
        let line = { (count: Int) in "1;" + String(repeating: "a", count: count - 4) + "\r\nx\r\n" }
        #expect(reason(line(256)) == nil)
        #expect(reason(line(257)) == .chunkLineTooLong)
        #expect(reason(String(repeating: line(250), count: 66)) == nil)
        #expect(reason(String(repeating: line(250), count: 67)) == .chunkExtensionsTooLarge)
        #expect(reason("0\r\n" + String(repeating: "A: b\r\n", count: 100) + "\r\n") == nil)
        #expect(reason("0\r\n" + String(repeating: "A: b\r\n", count: 101)) == .trailersTooLarge)
        #expect(reason("0\r\nA: " + String(repeating: "b", count: 16_381)) == nil)
        #expect(reason("0\r\nA: " + String(repeating: "b", count: 16_382)) == .trailersTooLarge)
        #expect(reason("0\r\n" + String(repeating: "n", count: 257)) == .fieldNameTooLong)
    }

    @Test func stepsEmitRangesWithoutACopy() {
        let input = utf8("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        var decoder = ChunkedDecoder()
        var position = 0
        #expect(decoder.next(input.span, at: &position) == .data(3..<6))
        #expect(decoder.next(input.span, at: &position) == .data(11..<13))
        #expect(decoder.next(input.span, at: &position) == .done)
        #expect(position == input.count && decoder.isFinished && decoder.decodedCount == 5)
        #expect(decoder.next(input.span, at: &position) == .done)
    }

    @Test(arguments: [1, 15, 16, 255, 256, 4095, 4096, 65_536, 1_048_577])
    func encoderAndDecoderAgree(_ count: Int) {
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        var coded: [UInt8] = []
        ChunkedEncoder.appendChunk(body.span, to: &coded)
        let nothing = body[..<0]
        ChunkedEncoder.appendChunk(nothing.span, to: &coded)
        ChunkedEncoder.appendLastChunk(to: &coded)
        #expect(text(coded.prefix { $0 != 0x0D }) == String(count, radix: 16))
        let decoded = decode(coded, pieces: Array(repeating: 60_000, count: coded.count / 60_000 + 1))
        #expect(decoded.body == body && decoded.state == .done && decoded.consumed == coded.count)
    }

    /// S3's frame within a body keeps its trailers, and may have a line feed before the end of their lines.
    @Test func trailersOfContent() {
        let input = utf8("1\r\nx\r\n0\r\nA:b\n\r\nC: d \r\n\r\n")
        var decoder = ChunkedDecoder(isContent: true)
        var body: [UInt8] = []
        #expect(decoder.decode(input.span, into: &body).state == .done)
        #expect(text(decoder.trailers) == "A:b\nC: d \n")
        #expect(reason("1\r\nx\r\n0\r\nA:b\n\r\n\r\n") == .badTrailer, "a message has no such lines")
        var message = ChunkedDecoder()
        let trailer = utf8("0\r\nA: b\r\n\r\n")
        #expect(message.decode(trailer.span, into: &body).state == .done && message.trailers.isEmpty)
    }
}
