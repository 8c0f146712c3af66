import Bytes
import Foundation
import Redaction
import Testing

@Suite struct RedactorTests {
    func redact(_ text: [UInt8], _ redactor: Redactor) -> [UInt8]? { redactor.redact(text.span) }

    static let secret = "pa\"ss/w+rd=ü%&"

    @Test func plainTextCostsNothing() {
        let redactor = Redactor([bytes("s3cr3t-value")])
        #expect(redact(bytes("nothing to see in s3cr3t-valu"), redactor) == nil)
        #expect(redact(bytes(""), redactor) == nil)
        #expect(redact(bytes("anything"), Redactor()) == nil)
    }

    static let spellings: [(String, String)] = [
        ("s3cr3t-value", "***"), ("a s3cr3t-value b", "a *** b"), ("s3cr3t-values3cr3t-value", "***"),
        ("s3cr3t-value s3cr3t-value", "*** ***"), ("%733cr3t-value", "***"), ("x=s%33cr3t%2dvalue&y=1", "x=***&y=1"),
        ("%73%33%63%72%33%74%2D%76%61%6C%75%65", "***"), (#"s3cr3t\u002dvalue"#, "***"),
        (#"{"p":"\u0073\u0033cr3t-value"}"#, #"{"p":"***"}"#),
        ("s3cr3t%252dvalue", "***"), ("a=s3cr3t%25252Dvalue&b=1", "a=***&b=1"), (#"s3cr3t%5Cu002dvalue"#, "***"),
        (#"\u0025733cr3t-value!"#, "***!"), ("<p>s3cr3t&#45;value</p>", "<p>***</p>"),
        ("s3cr3t&#x2d;value&amp;", "***&amp;"),
        ("%26%2345%3B s3cr3t%26%2345%3Bvalue", "%26%2345%3B ***"),
        ("7333637233742d76616c7565", "***"), ("7333637233742D76616C7565!", "***!"),
    ]

    @Test(arguments: spellings)
    func hidesEverySpelling(_ input: String, _ expected: String) {
        #expect(redact(bytes(input), Redactor([bytes("s3cr3t-value")])).map { utf8($0) } == expected)
    }

    /// `Basic` credentials put a name and a colon before the secret: three alignments.
    @Test(arguments: ["", "a", "ab", "abc", "user:", "admin:"], ["", "x", "xy", "xyz"])
    func hidesInsideBase64(_ before: String, _ after: String) throws {
        let secret = "t0p$ecret~ÿ?>"
        let redactor = Redactor([bytes(secret)])
        let standard = Data(bytes(before + secret + after)).base64EncodedString()
        let url = standard.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        for encoded in [standard, url, url.replacingOccurrences(of: "=", with: "")] {
            let output = utf8(try #require(redact(bytes("Basic \(encoded) end"), redactor)))
            #expect(output.hasPrefix("Basic "))
            #expect(output.hasSuffix(" end"))
            let left = output.dropFirst("Basic ".count).dropLast(" end".count)
            let parts = left.components(separatedBy: "***")
            #expect(parts.count == 2)
            // What is left spells nothing but what stood around the secret.
            #expect(parts[0].count <= bytes(before).count * 8 / 6 && encoded.hasPrefix(parts[0]))
            #expect(parts[1].count <= (bytes(after).count * 8 + 5) / 6 + 2 && encoded.hasSuffix(parts[1]))
        }
        let percent = standard.replacingOccurrences(of: "+", with: "%2B").replacingOccurrences(of: "/", with: "%2f")
        #expect(redact(bytes("\(percent)%3D"), redactor) != nil)
    }

    @Test func overlappingSecretsLeaveNothing() {
        let redactor = Redactor([bytes("abcdefgh"), bytes("efghijkl"), bytes("cdef")])
        #expect(redact(bytes("1abcdefghijkl2"), redactor) == bytes("1***2"))
        #expect(redact(bytes("1abcdefgh2"), redactor) == bytes("1***2"))
        #expect(redact(bytes("1cdefefghijkl2"), redactor) == bytes("1***2"))
        #expect(redact(bytes("aaaaa"), Redactor([bytes("aaaa")])) == bytes("***"))
    }

    @Test func shortSecretsAreRefusedAndBinaryOnesFound() {
        let redactor = Redactor([bytes("abc")])
        #expect(redact(bytes("abc abcabc"), redactor) == nil)
        #expect(!redactor.add(bytes("abc")))
        #expect(redactor.add([0, 1, 0xFF, 0xFE]))
        #expect(redact([0x61, 0, 1, 0xFF, 0xFE, 0x62], redactor) == bytes("a***b"))
        #expect(redact(bytes("%00%01%ff%FE"), redactor) == bytes("***"))
    }

    @Test func learnsAndForgets() {
        let redactor = Redactor([bytes("configured")])
        #expect(redactor.add(bytes("token-1")))
        #expect(redactor.add(bytes("token-1")))
        #expect(redact(bytes("token-1 configured"), redactor) == bytes("*** ***"))
        redactor.remove([bytes("token-1")])
        redactor.remove([bytes("configured")])
        #expect(redact(bytes("token-1 configured"), redactor) == bytes("token-1 ***"))
    }

    @Test func remembersTheNewestTokens() {
        let redactor = Redactor([bytes("configured")])
        for number in 0..<3000 { redactor.add(bytes("token-\(number)-x")) }
        for number in 3000 - Redactor.addedLimit / 2..<3000 {
            #expect(redact(bytes("token-\(number)-x"), redactor) == bytes("***"))
        }
        #expect(redact(bytes("token-0-x"), redactor) == nil)
        #expect(redact(bytes("configured"), redactor) == bytes("***"))
    }

    @Test func showsNothingOfItself() {
        var dumped = ""
        dump(Redactor([bytes("s3cr3t-value")]), to: &dumped)
        #expect(!dumped.contains("115"))
        #expect(Array(Mirror(reflecting: Redactor([bytes("s3cr3t-value")])).children).isEmpty)
    }

    /// Random secrets in random texts, each byte spelt in a random way: the secret never survives, neither as it is nor
    /// after decoding, and the text around it does.
    @Test func noRandomSpellingSurvives() throws {
        var generator = SystemRandomNumberGenerator()
        for round in 0..<3000 {
            let alphabet = Array("abcXYZ019-_.~ +/=%\"\\\u{8}\n<é".utf8)
            let secret = (0..<Int.random(in: 4...24, using: &generator)).map { _ in
                round % 3 == 0
                    ? UInt8.random(in: 1...255, using: &generator) : alphabet.randomElement(using: &generator)!
            }
            let spelt: [UInt8]
            switch round % 4 {
            case 0: spelt = secret
            case 1: spelt = secret.flatMap { Self.percent($0, using: &generator) }
            case 2: spelt = Self.json(secret, using: &generator)
            default: spelt = Array(Data(secret).base64EncodedString().utf8)
            }
            let redactor = Redactor([secret])
            let output = try #require(redact(bytes("<<") + spelt + bytes(">>"), redactor), "round \(round) \(secret)")
            #expect(output.starts(with: bytes("<")) && output.last == 0x3E, "round \(round) \(secret)")
            #expect(output.count < 2 + 3 + 2 + 4, "round \(round) \(secret) \(utf8(output))")
            #expect(redact(output, redactor) == nil)
        }
    }

    private static func percent(_ byte: UInt8, using generator: inout some RandomNumberGenerator) -> [UInt8] {
        if byte == 0x20, Bool.random(using: &generator) { return [0x2B] }
        // A plus or percent sign as it is would mean something else.
        if byte != 0x2B, byte != 0x25, Bool.random(using: &generator) { return [byte] }
        return bytes(String(format: Bool.random(using: &generator) ? "%%%02x" : "%%%02X", byte))
    }

    /// JSON's spelling; what is no UTF-8 is left as it is.
    private static func json(_ secret: [UInt8], using generator: inout some RandomNumberGenerator) -> [UInt8] {
        guard UTF8Sequence.isValid(secret.span) else { return secret }
        return String(decoding: secret, as: UTF8.self).unicodeScalars.flatMap { scalar -> [UInt8] in
            switch scalar {
            case "\"": return bytes("\\\"")
            case "\\": return bytes("\\\\")
            case "\u{8}": return bytes("\\b")
            case "\n": return bytes("\\n")
            case "/" where Bool.random(using: &generator): return bytes("\\/")
            default:
                if scalar.value >= 0x20, Bool.random(using: &generator) { return Array(String(scalar).utf8) }
                return String(scalar).utf16.flatMap { bytes(String(format: "\\u%04x", $0)) }
            }
        }
    }
}
