import Bytes
import Cryptography
import Expressions
import Testing

@testable import Domain

/// The rules of AWS Signature Version 4, piece by piece; whole requests are signed by the conformance tests.
struct AWSSignatureTests {
    /// Paths of the AWS signing test suite, and a few more.
    @Test(arguments: [
        ("/", "/"), ("", "/"), ("//", "/"), ("/example/..", "/"), ("/example1/example2/../..", "/"), ("/./", "/"),
        ("/./example", "/example"), ("//example//", "/example/"), ("/example space/", "/example%20space/"),
        ("/ሴ", "/%E1%88%B4"), ("/a%3Ab", "/a%253Ab"), ("/-._~0aZ", "/-._~0aZ"), ("/a/b/../../../c", "/c"),
        ("/a/.", "/a"),
    ])
    func normalizedPaths(_ path: String, _ expected: String) {
        #expect(text(AWSCanonical.path(bytes(path), normalize: true, isS3: false)) == expected)
    }

    @Test(arguments: [
        ("/a//b/../c", "/a//b/../c"), ("/test%24file.text", "/test%24file.text"), ("/a(b)", "/a%28b%29"),
        ("/a%7eb", "/a~b"), ("/a+b", "/a%2Bb"),
    ])
    func pathsOfS3(_ path: String, _ expected: String) {
        #expect(text(AWSCanonical.path(bytes(path), normalize: false, isS3: true)) == expected)
    }

    @Test(arguments: [
        ("", ""), ("lifecycle", "lifecycle="), ("Param2=b&Param1=a", "Param1=a&Param2=b"),
        ("Param1=value2&Param1=Value1", "Param1=Value1&Param1=value2"), ("a=1&&b", "a=1&b="), ("a=b=c", "a=b%3Dc"),
        ("ሴ=bar", "%E1%88%B4=bar"), ("p=%7e%2a", "p=~%2A"), ("x=a+b%20c", "x=a%2Bb%20c"),
        // Sorted by what is encoded: `%5B` comes before letters, `-` before `%`'s letters.
        ("param[10]=1&param-1=2&parama=3", "param%5B10%5D=1&param-1=2&parama=3"),
        ("@#$%^&+=/,?><`\";:\\|][{} ", "%2B=%2F%2C%3F%3E%3C%60%22%3B%3A%5C%7C%5D%5B%7B%7D%20&%40%23%24%25%5E="),
    ])
    func queries(_ query: String, _ expected: String) {
        #expect(text(AWSCanonical.query(bytes(query))) == expected)
    }

    @Test func headersFoldAndKeepTheOrderOfDuplicates() {
        var headers = AWSHeaders()
        for (name, value) in [
            ("My-Header2", " \"a   b   c\" "), ("Host", "h"), ("My-Header1", "value4"),
            ("my-header1", " value1\r\n  x"),
            ("MY-HEADER1", "value3"),
        ] { headers.add(bytes(name).span, bytes(value).span) }
        var (lines, names): ([UInt8], [UInt8]) = ([], [])
        headers.appendLines(to: &lines)
        headers.appendNames(to: &names)
        #expect(text(lines) == "host:h\nmy-header1:value4,value1 x,value3\nmy-header2:\"a b c\"\n")
        #expect(text(names) == "host;my-header1;my-header2")
    }

    /// AWS's published example of a derived key (IAM, 2015-08-30).
    @Test func derivedKey() throws {
        let time = try #require(Timestamp(seconds: 1_440_938_160))
        let key = AWSKey(
            secret: bytes("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"), region: bytes("us-east-1"),
            service: bytes("iam"),
            time: time)
        let signed = bytes(
            "AWS4-HMAC-SHA256\n20150830T123600Z\n20150830/us-east-1/iam/aws4_request\n"
                + "f536975d06c0309214f805bb90ccff089219ecd68b2577efef23edd43b7e1a59")
        #expect(text(key.date) == "20150830T123600Z")
        #expect(text(key.signature(signed)) == "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7")
    }

    /// The public key that the suite publishes for version 4a.
    @Test func derivedAsymmetricKey() throws {
        let (secret, access) = (bytes("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"), bytes("AKIDEXAMPLE"))
        let number = try AWSAsymmetricKey.number(secret: secret, accessKey: access)
        #expect(
            text(Hex.encode(number.span)) == "7efc8c0e65a324242818c5a50c891c6060b6a00717b7ba3cbe3c5d765be9259c")
        let key = try AWSAsymmetricKey.key(secret: secret, accessKey: access)
        guard case .point(.p256, let x, let y)? = key.publicKey.components else {
            Issue.record("no point on P-256")
            return
        }
        #expect(text(Hex.encode(x.span)) == "b6618f6a65740a99e650b33b6b4b5bd0d43b176d721a3edfea7e7d2d56d936b1")
        #expect(text(Hex.encode(y.span)) == "865ed22a7eadc9c5cb9d2cbaca1b3699139fedc5043dc6661864218330c8e518")
    }

    @Test(arguments: [
        (AWSChecksum.crc32, "y/Q5Jg=="), (.crc32c, "4waSgw=="), (.crc64nvme, "rosUhgp5mIg="),
        (.sha1, "98O8HYCOBHMq32eZZczDTKeuNEE="),
        (.sha256, "FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU="),
    ])
    func checksums(_ kind: AWSChecksum, _ expected: String) {
        var running = AWSChecksum.Running(kind)
        for piece in ["1234", "", "56789"] { running.update(bytes(piece).span) }
        let value = running.text()
        #expect(text(value) == expected)
        #expect(UInt64(value.count) == kind.valueCount)
    }

    private func key() throws -> AWSKey {
        AWSKey(
            secret: bytes("k"), region: bytes("r"), service: bytes("s3"), time: try #require(Timestamp(seconds: 0)))
    }

    /// However the body comes in pieces, the frame is the same, and as long as was announced.
    @Test(arguments: [0, 1, 7, 8, 9, 16, 17, 100], [true, false])
    func framesDoNotDependOnPieces(_ count: Int, _ isSigned: Bool) throws {
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let trailer: AWSChecksum? = count % 2 == 0 ? .crc32c : nil
        var outputs: Set<[UInt8]> = []
        var generator = SeededGenerator(seed: UInt64(count))
        for round in 0..<20 {
            let chunks = AWSChunks(key: isSigned ? try key() : nil, seed: bytes("seed"), size: 8, trailer: trailer)
            var (output, rest): ([UInt8], ArraySlice<UInt8>) = ([], body[...])
            while !rest.isEmpty {
                let size = round == 0 ? rest.count : Int.random(in: 0...min(20, rest.count), using: &generator)
                let piece = Array(rest.prefix(size))
                chunks.frame(piece.span, into: &output)
                rest = rest.dropFirst(size)
            }
            chunks.finish(into: &output)
            outputs.insert(output)
        }
        let output = try #require(outputs.first)
        #expect(outputs.count == 1)
        let announced = AWSChunks.framedCount(of: UInt64(count), isSigned: isSigned, size: 8, trailer: trailer)
        #expect(announced == UInt64(output.count))
    }

    @Test func aLengthThatOverflowsIsNone() {
        #expect(AWSChunks.framedCount(of: .max, isSigned: true, size: 8192, trailer: nil) == nil)
        #expect(AWSChunks.framedCount(of: 66560, isSigned: true, size: 65536, trailer: nil) == 66824)
    }
}
