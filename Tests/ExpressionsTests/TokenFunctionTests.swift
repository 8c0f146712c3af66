import Bytes
import Testing

@testable import Expressions

/// RFC 6238 appendix B, and what is no token.
struct TokenFunctionTests {
    @Test(arguments: [
        (59, "94287082", "46119246", "90693936"), (1_111_111_109, "07081804", "68084774", "25091201"),
        (1_111_111_111, "14050471", "67062674", "99943326"), (1_234_567_890, "89005924", "91819424", "93441116"),
        (2_000_000_000, "69279037", "90698825", "38618901"), (20_000_000_000, "65353130", "77737706", "47863826"),
    ])
    func oneTimePasswords(time: Int, sha1: String, sha256: String, sha512: String) {
        let digits = "1234567890"
        let (short, long) = (String(repeating: digits, count: 2), String(repeating: digits, count: 7))
        let keys = ["sha1": short, "sha256": String(long.prefix(32)), "sha512": String(long.prefix(64))]
        for (digest, expected) in ["sha1": sha1, "sha256": sha256, "sha512": sha512] {
            let call = "totp(b'\(keys[digest] ?? "")', timestamp(\(time)), 8, 30, '\(digest)')"
            #expect(TestHost.outcome("\(call) == '\(expected)'") == "true")
        }
    }

    @Test(arguments: [
        "totp('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', timestamp(59)) == '287082'",
        "totp('gezd gnbv-gy3tqojqgezdgnbvgy3tqojq==', timestamp(59)) == '287082'",
        "jwt.claims('eyJhbGciOiJub25lIn0.eyJhIjp7ImIiOlsxXX19.x').a.b[0] == 1",
        "xml.escape('中<&>\"\\'') == '中&lt;&amp;&gt;&quot;&apos;'",
    ])
    func values(source: String) { #expect(TestHost.outcome(source) == "true") }

    @Test(arguments: [
        "totp('189', timestamp(0))", "totp('', timestamp(0))", "totp(b'k', timestamp(0), 3)",
        "totp(b'k', timestamp(0), 11)",
        "totp(b'k', timestamp(0), 6, 0)", "totp(b'k', timestamp(-1))", "totp(b'k', timestamp(0), 6, 30, 'md5')",
        "jwt.claims('')", "jwt.claims('a.b')", "jwt.claims('e30.e30')", "jwt.claims('e30.!.x')",
        "jwt.claims('e30.e3.x')",
    ])
    func refusals(source: String) { #expect(TestHost.outcome(source) != "true" && !TestHost.outcome(source).isEmpty) }
}
