import Expressions
import JSONBytes
import Testing

@testable import Domain

@Suite struct CredentialTests {
    private func json(_ text: String) throws -> Value {
        .json(try JSONDocument(parsing: bytes(text)).root)
    }

    @Test(
        arguments: [
            ("7200", 7200), ("\"7200\"", 7200), ("\"7200.0\"", 7200), ("3600.9", 3600), ("0", nil), ("-1", nil),
            ("\"never\"", nil), ("null", nil), ("true", nil), ("\"\"", nil), ("1e300", nil), ("99999999999999", nil),
            ("\"-5\"", nil), ("[]", nil), ("\"PT10M\"", 600), ("\"P1D\"", 86_400), ("\"P2W\"", 1_209_600),
            ("\"P1DT2H3M4S\"", 93_784), ("\"PT3600.5S\"", 3600), ("\"P0Y0M1DT0H\"", 86_400), ("\"P1M\"", nil),
            ("\"P1Y\"", nil), ("\"PT\"", nil), ("\"P\"", nil), ("\"P1DT\"", nil), ("\"P1H\"", nil), ("\"PT1S1M\"", nil),
            ("\"PT1.5M2S\"", nil), ("\"PTM\"", nil), ("\"P99999999999999W\"", nil), ("\"10M\"", nil),
        ] as [(String, Int64?)])
    func secondsFromTheAnswer(_ text: String, _ expected: Int64?) throws {
        let end = CredentialExpiry.lifetime(expiresIn: try json(text), expiresAt: nil, wall: 1_700_000_000)
        #expect(end.seconds == expected)
        // What was told is either understood, or an end that never comes, or a problem.
        let isNever = ["0", "-1", "null"].contains(text)
        #expect((end.problem == nil) == (expected != nil || isNever))
    }

    @Test(
        arguments: [
            ("1700000100", 100), ("1700000100000", 100), ("\"1700000100\"", 100), ("1600000000", nil),
            ("1700000000", nil), ("1700000001", 1), ("0", nil),
            ("9999999999", nil),
        ] as [(String, Int64?)])
    func pointInTime(_ text: String, _ expected: Int64?) throws {
        let end = CredentialExpiry.lifetime(expiresIn: nil, expiresAt: try json(text), wall: 1_700_000_000)
        #expect(end.seconds == expected)
        #expect((end.problem == nil) == (expected != nil || text == "0"))
    }

    @Test func anEndInThePastSaysHowFar() {
        let end = CredentialExpiry.lifetime(expiresIn: .int(60), expiresAt: .int(400), wall: 1000)
        #expect(end.seconds == 60)
        #expect(end.problem?.contains("600 s ago") == true)
    }

    @Test func theUpstreamsClockCounts() {
        let grant = CredentialExpiry.grant(captures: [.int(400)], names: ["expires_at"], wall: 1000, ahead: -700)
        #expect(grant.lifetime == s(100) && grant.wallExpiry == 1100 && grant.expiryProblem == nil)
    }

    @Test func theEarlierExpiryCounts() {
        #expect(CredentialExpiry.lifetime(expiresIn: .int(100), expiresAt: .int(1050), wall: 1000).seconds == 50)
        #expect(CredentialExpiry.lifetime(expiresIn: .int(10), expiresAt: .int(1050), wall: 1000).seconds == 10)
    }

    @Test func theFingerprintIgnoresTimesAndNothingElse() throws {
        let names = ["token", "expires_in", "user"]
        func print(_ token: String, _ expires: Int64, _ user: Value) -> [UInt8] {
            CredentialExpiry.grant(captures: [.text(token), .int(expires), user], names: names, wall: 0).fingerprint
        }
        #expect(print("a", 1, .int(1)) == print("a", 2, .int(1)))
        #expect(print("a", 1, .int(1)) != print("b", 1, .int(1)))
        #expect(print("a", 1, .int(1)) != print("a", 1, .int(2)))
        #expect(print("a", 1, .null).count == 32)
        #expect(CredentialGrant(captures: [.int(5)], names: ["expires_in"]).fingerprint.isEmpty)
    }

    @Test func aGrantCarriesBothExpiries() {
        let grant = CredentialExpiry.grant(captures: [.int(60)], names: ["expires_in"], wall: 1000)
        #expect(grant.lifetime == s(60) && grant.wallExpiry == 1060)
    }

    @Test(arguments: ["10.10", "12345678901234567890123", "[1, 2]", "{\"a\":1.0}"])
    func capturesKeepTheirTokens(_ text: String) throws {
        let captured = CapturedValue(try json("{\"x\":\(text)}"))
        var output: [UInt8] = []
        captured.value.appendJSON(to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "{\"x\":\(text)}")
        let number = CapturedValue(try json(text))
        output = []
        number.value.appendText(to: &output)
        #expect(String(decoding: output, as: UTF8.self) == text)
    }

    @Test func aCapturedStringIsDecodedAndItsOwn() throws {
        guard case .string(let token) = CapturedValue(try json("\"a\\u0041\"")) else {
            Issue.record("no string")
            return
        }
        #expect(token == bytes("aA"))
        #expect(CapturedValue(.optional(nil)).isNull)
        #expect(!CapturedValue(.optional(.int(1))).isNull)
    }
}
