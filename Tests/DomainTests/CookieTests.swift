import Bytes
import Testing

@testable import Domain

@Suite struct CookieTests {
    private let wall: Int64 = 1_800_000_000

    /// The `Cookie` value for a request after one answer from `host`.
    private func sent(
        _ lines: [String], from host: String = "api.shop.test", at path: String = "/a/login", to target: String = "/a",
        of other: String? = nil, secure: Bool = true
    ) -> String {
        let jar = CookieJar()
        let site = CookieSite(host: bytes(host), isSecure: secure)
        jar.store(fields(lines.map { ("Set-Cookie", $0) }), from: site, path: bytes(path), wall: wall)
        let place = CookieSite(host: bytes(other ?? host), isSecure: secure)
        return text(jar.header(to: place, path: bytes(target)[...], wall: wall))
    }

    @Test(arguments: [
        ("Wed, 21 Oct 2026 07:28:00 GMT", 1_792_567_680 as Int64?),
        ("Wednesday, 21-Oct-26 07:28:00 GMT", 1_792_567_680),
        ("Wed Oct 21 07:28:00 2026", 1_792_567_680), ("21 oct 2026 7:28:0", 1_792_567_680),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("29 Feb 2024 00:00:00", 1_709_164_800),
        ("01 Jan 69 00:00:00", 3_124_224_000),
        ("01 Jan 70 00:00:00", 0), ("32 Jan 2020 00:00:00", nil), ("01 Jan 2020 24:00:00", nil), ("01 Jan 2020", nil),
        ("", nil), ("00:00:00", nil), ("01 Foo 2020 00:00:00", nil), ("01 Jan 1600 00:00:00", nil),
        ("01 Jan 9999 99:99:99", nil), (":::::: 1 1 1", nil),
    ])
    func dates(written: String, seconds: Int64?) {
        #expect(CookieDate.parse(bytes(written)[...]) == seconds)
    }

    @Test(
        arguments: [
            ("SID=s; Domain=app.corp", "its Domain app.corp is not api.shop.test"),
            ("SID=s; Domain=test", "its Domain test is not api.shop.test"),
            ("SID=s; Secure", "it is Secure, and api.shop.test is reached without TLS"),
            ("__Host-SID=s; Path=/", "its name asks for Secure, Path=/ and no Domain"),
            ("__Secure-SID=s", "its name asks for Secure"), ("=s", "it has no name"), ("s", "it has no name"),
            ("SID=\u{1}", "it holds a control character"),
            ("SID=" + String(repeating: "s", count: 4094), "it is longer than 4096 bytes"),
            // What ends a cookie that was never kept is no loss.
            ("SID=; Domain=app.corp; Max-Age=0", nil),
            ("SID=; Domain=app.corp; Expires=Thu, 01 Jan 1970 00:00:00 GMT", nil), ("SID=s; Domain=shop.test", nil),
        ] as [(String, String?)])
    func refusals(line: String, why: String?) {
        let jar = CookieJar()
        let site = CookieSite(host: bytes("api.shop.test"), isSecure: false)
        for _ in 0..<2 { jar.store(fields([("Set-Cookie", line)]), from: site, path: bytes("/"), wall: wall) }
        #expect(jar.takeRefusals().map(\.why) == (why.map { [$0] } ?? []))
        #expect(jar.refusals.isEmpty && jar.isEmpty == (why != nil || line.contains("app.corp")))
    }

    @Test func domains() {
        let lines = [
            "own=1", "up=1; Domain=.Shop.Test", "bad=1; Domain=op.test", "tld=1; Domain=test",
            "sub=1; Domain=x.api.shop.test",
        ]
        #expect(sent(lines) == "own=1; up=1")
        #expect(sent(lines, of: "www.shop.test") == "up=1")
        #expect(sent(lines, of: "evilshop.test").isEmpty)
        #expect(sent(["a=1; Domain=0.0.1"], from: "127.0.0.1").isEmpty)
    }

    @Test func secureCookiesNeedASecureSite() {
        #expect(sent(["a=1; Secure"], secure: false).isEmpty)
        #expect(sent(["a=1; secure; HttpOnly"]) == "a=1")
    }

    @Test func theJarIsBounded() {
        let names = (0..<CookieJar.most + 20).map { "n\($0)=1" }
        #expect(sent(names).split(separator: ";").count == CookieJar.most)
        #expect(sent(names).hasPrefix("n20=1"))
    }

    @Test func aNewValueKeepsItsPlaceAndACopyIsItsOwn() {
        #expect(sent(["a=1", "b=1", "a=2"]) == "a=2; b=1")
        let site = CookieSite(host: bytes("h"), isSecure: false)
        let jar = CookieJar()
        jar.store(fields([("set-cookie", "a=1; Path=/")]), from: site, path: bytes("/"), wall: wall)
        let copy = jar.copy()
        copy.store(fields([("set-cookie", "a=; Max-Age=0; Path=/")]), from: site, path: bytes("/"), wall: wall)
        #expect(copy.isEmpty && !jar.isEmpty)
    }
}
