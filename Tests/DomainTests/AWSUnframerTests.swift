import Bytes
import HTTPWire
import Testing

@testable import Domain

/// The frame that a client put around its upload.
struct AWSUnframerTests {
    private static let signed = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
    private static let crc = "x-amz-checksum-crc32"

    private func unframer(
        _ fields: [(String, String)], sendsTrailer: Bool = false
    ) throws(GatewayError) -> AWSUnframer? {
        var block = PairBlock()
        for (name, value) in fields { block.append(name: bytes(name), value: bytes(value)) }
        return try AWSUnframer(block, sendsTrailer: sendsTrailer)
    }

    private func framed(length: String? = nil, trailer: String? = nil) throws -> AWSUnframer {
        var fields = [("Content-Encoding", "aws-chunked")]
        if let length { fields.append(("X-Amz-Decoded-Content-Length", length)) }
        if let trailer { fields.append(("X-Amz-Trailer", trailer)) }
        return try #require(try unframer(fields))
    }

    /// What comes out, in pieces of these sizes; then what the end adds.
    private func content(_ unframer: AWSUnframer, _ body: String, piece: Int) throws -> (early: String, all: String) {
        var unframer = unframer
        var (output, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes(body)[...])
        while !rest.isEmpty {
            let part = Array(rest.prefix(piece))
            try unframer.take(part.span, into: &output)
            rest = rest.dropFirst(piece)
        }
        let early = text(output)
        #expect(!unframer.isFinished)
        try unframer.finish(into: &output)
        #expect(unframer.isFinished)
        return (early, text(output))
    }

    @Test(arguments: [
        ("0\r\n\r\n", "", String?.none), ("5\r\nhello\r\n0\r\n\r\n", "hello", nil),
        ("5;chunk-signature=abc\r\nhello\r\n1;chunk-signature=d\r\n!\r\n0;chunk-signature=e\r\n\r\n", "hello!", nil),
        ("5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n", "hello", crc),
        ("5\r\nhello\r\n0\r\nX-Amz-Checksum-CRC32: NhCmhg== \r\n\r\n", "hello", crc),
        // As the documentation writes it and minio-go sends it.
        ("5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\n\r\n\r\n", "hello", crc),
        (
            "5\r\nhello\r\n0;chunk-signature=f\r\nx-amz-checksum-crc32:NhCmhg==\n\r\nx-amz-trailer-signature:0a\r\n\r\n",
            "hello", crc
        ),
        ("0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n", "", crc),
        ("5\r\nhello\r\n0\r\nx-amz-checksum-new:whatever\r\n\r\n", "hello", "x-amz-checksum-new"),
    ])
    func taken(_ body: String, _ expected: String, _ trailer: String?) throws {
        for length in [nil, String(expected.utf8.count)] {
            let unframer = try framed(length: length, trailer: trailer)
            for piece in 1...body.utf8.count {
                let (early, all) = try content(unframer, body, piece: piece)
                #expect(all == expected, "pieces of \(piece)")
                #expect(early == expected.dropLast(), "the end must not come before it is known to be right")
            }
        }
    }

    @Test(arguments: [
        ("", "early"), ("5\r\nhello\r\n", "early"), ("5\r\nhello\r\n0\r\n", "early"), ("hello", "malformed"),
        ("5\nhello\r\n0\r\n\r\n", "malformed"), ("5\r\nhelloX", "malformed"), ("0\r\n\r\n0\r\n\r\n", "behind"),
        ("5;chunk-signature=\u{1}\r\nhello\r\n0\r\n\r\n", "malformed"), ("fffffffffffffffff\r\n", "malformed"),
        ("4\r\nhell\r\n0\r\n\r\n", "shorter"), ("6\r\nhello!\r\n0\r\n\r\n", "longer"),
        ("5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n", "does not name"),
        ("5\r\nhello\r\n0\r\nauthorization:x\r\n\r\n", "does not name"),
        ("5\r\nhello\r\n0\r\nx-amz-checksum-crc32 \r\n\r\n", "malformed"),
        ("5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\n\n\r\n", "malformed"),
    ])
    func refused(_ body: String, _ reason: String) throws {
        try expectRefusal(try framed(length: "5"), body, reason)
    }

    @Test(arguments: [
        ("5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhh==\r\n\r\n", "checksum"),
        ("5\r\nhellO\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n", "checksum"),
        ("5\r\nhello\r\n0\r\nx-amz-checksum-crc32:\r\n\r\n", "does not name"),
        ("5\r\nhello\r\n0\r\n\r\n", "lacks"), ("5\r\nhello\r\n0\r\nx-amz-trailer-signature:0a\r\n\r\n", "lacks"),
        (
            "5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n",
            "does not name"
        ),
    ])
    func refusedForItsTrailer(_ body: String, _ reason: String) throws {
        try expectRefusal(try framed(length: "5", trailer: Self.crc), body, reason)
    }

    private func expectRefusal(_ unframer: AWSUnframer, _ body: String, _ reason: String) throws {
        for piece in 1...max(body.utf8.count, 1) {
            let error = #expect(throws: GatewayError.self) { try content(unframer, body, piece: piece) }
            #expect(error?.kind == .badRequest && error?.detail.contains(reason) == true, "\(error?.detail ?? "")")
        }
    }

    /// Thousands of chunks, each with a signature: what bounds the extensions of one message does not bound an upload.
    @Test func manySignedChunks() throws {
        let signature = String(repeating: "a", count: 64)
        let chunk = "2;chunk-signature=\(signature)\r\nab\r\n"
        let body = String(repeating: chunk, count: 2000) + "0;chunk-signature=\(signature)\r\n\r\n"
        let (_, all) = try content(try framed(length: "4000"), body, piece: 1000)
        #expect(all == String(repeating: "ab", count: 2000))
    }

    @Test(arguments: [
        ([("content-encoding", "gzip , AWS-Chunked")], true), ([("x-amz-content-sha256", signed)], true),
        ([("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER")], true),
        ([("x-amz-content-sha256", "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD-TRAILER")], true),
        ([("content-encoding", "gzip"), ("content-encoding", "aws-chunked")], true),
        ([("x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-EVENTS")], false),
        ([("x-amz-content-sha256", "UNSIGNED-PAYLOAD")], false), ([("content-encoding", "gzip")], false), ([], false),
    ])
    func announced(_ fields: [(String, String)], _ isFramed: Bool) throws {
        let unframer = try unframer(fields)
        #expect((unframer != nil) == isFramed)
    }

    @Test(arguments: [
        [("x-amz-decoded-content-length", "-1")], [("x-amz-decoded-content-length", "99999999999999999999")],
        [("x-amz-decoded-content-length", "5"), ("X-Amz-Decoded-Content-Length", "5")],
        [("x-amz-trailer", "authorization")], [("x-amz-trailer", "x-amz-checksum-crc32,x-amz-checksum-sha1")],
        [("x-amz-trailer", "x-amz-checksum-a b")],
        [("x-amz-content-sha256", signed), ("x-amz-content-sha256", signed)],
    ])
    func headsThatCannotBe(_ fields: [(String, String)]) {
        let error = #expect(throws: GatewayError.self) { try unframer([("content-encoding", "aws-chunked")] + fields) }
        #expect(error?.kind == .badRequest)
    }

    /// Only a request with a trailer of its own can go before the client's checksum is there.
    @Test func whatHasToBeHeld() throws {
        let head = [("content-encoding", "aws-chunked")]
        let trailer = head + [("x-amz-trailer", Self.crc)]
        #expect(try unframer(head)?.mustHold == false)
        #expect(try unframer(trailer)?.mustHold == true)
        #expect(try unframer(trailer, sendsTrailer: true)?.mustHold == false)
        #expect(try unframer(head + [("x-amz-decoded-content-length", "7")])?.framing == .length(7))
        #expect(try unframer(head)?.framing == .chunked)
    }

    @Test(arguments: [
        ("aws-chunked", String?.none), ("aws-chunked,gzip", "gzip"), ("gzip, AWS-CHUNKED ,, br", "gzip,br"),
    ])
    func codings(_ value: String, _ expected: String?) throws {
        let draft = RequestDraft(
            method: bytes("PUT"), path: bytes("/"), query: nil, fields: PairBlock(), content: .none, host: [],
            remote: [])
        draft.fields.append(name: bytes("Content-Encoding"), value: bytes(value))
        try #require(try unframer([("content-encoding", value)])).mark(draft)
        #expect(draft.fields.first("content-encoding", folding: true).map { text(Array($0)) } == expected)
    }
}
