import Expressions
import JSONBytes
import Testing

@testable import Domain

/// What is stored of a session comes back as it was: every type, cookies, and times that no clock can lengthen.
@Suite struct SessionRecordTests {
    private let site = CookieSite(host: bytes("shop.example"), isSecure: true)

    private func jar() -> CookieJar {
        let jar = CookieJar()
        let lines = ["A=1; Path=/a; Secure", "B=\u{FC}; Domain=shop.example; Max-Age=500", "C=3"]
        jar.store(fields(lines.map { ("Set-Cookie", $0) }), from: site, path: bytes("/x/y"), wall: 1000)
        return jar
    }

    private func record(_ captures: [CapturedValue], expires: Int64? = nil) -> SessionRecord {
        SessionRecord(
            CredentialGrant(captures: captures, fingerprint: [], wallExpiry: expires),
            names: captures.indices.map { "c\($0)" }, jar: jar(), wall: 1000)
    }

    @Test func valuesAreFoundByName() throws {
        let read = try #require(SessionRecord(record([.int(1), .int(2)]).bytes))
        let values = read.values(names: ["new", "c1"])
        #expect(values.count == 2 && values[0].isNull && values[1].value.resolved.typeName.name == "int")
        #expect(read.grant(names: ["new", "c1"], wall: 1000, keepsCookies: false) == nil)
    }

    @Test func everyTypeComesBack() throws {
        let time = try #require(Timestamp(seconds: -5, nanoseconds: 7))
        let document = try JSONDocument(parsing: bytes(#"{"a": [10.10, 12345678901234567890]}"#))
        let captures: [CapturedValue] = [
            .null, .bool(true), .bool(false), .int(.min), .uint(.max), .double(0.1), .double(-.infinity),
            .string(bytes("甲 \"x\"\n")), .string([0xFF, 0x00]), .bytes([0, 1, 2, 255]), .timestamp(time),
            .duration(nanoseconds: -1), .json(document),
        ]
        let read = try #require(SessionRecord(record(captures).bytes))
        #expect(read.captures.map(\.name) == captures.indices.map { "c\($0)" })
        for (old, new) in zip(captures, read.captures) {
            var (before, after) = (bytes("\(old.value.typeName.name) "), bytes("\(new.value.value.typeName.name) "))
            old.value.appendJSON(to: &before)
            new.value.value.appendJSON(to: &after)
            #expect(before == after)
            if case .string(let text) = old { #expect(new.value.value.contents.map { Array($0) } == text) }
        }
    }

    @Test func cookiesComeBackWithTheirRules() throws {
        let read = try #require(SessionRecord(record([]).bytes)).jar
        for (path, wall) in [("/a/b", Int64(1000)), ("/x/y", 1000), ("/x/y", 2000)] {
            #expect(
                read.header(to: site, path: bytes(path)[...], wall: wall)
                    == jar().header(to: site, path: bytes(path)[...], wall: wall))
        }
        let plain = CookieSite(host: bytes("www.shop.example"), isSecure: false)
        #expect(read.header(to: plain, path: bytes("/x/y")[...], wall: 1000) == bytes("B=\u{FC}"))
    }

    @Test(arguments: [
        (now: Int64(1000), left: UInt64(100)), (now: 1060, left: 40), (now: 1100, left: 0), (now: 5000, left: 0),
        // The clock was set back.
        (now: 0, left: 100),
    ])
    func noClockLengthensALife(now: Int64, left: UInt64) throws {
        let read = try #require(SessionRecord(record([.int(1)], expires: 1100).bytes))
        let grant = try #require(read.grant(names: ["c0"], wall: now, keepsCookies: false))
        #expect(grant.lifetime == s(left) && grant.wallExpiry == 1100)
        #expect(read.isExpired(wall: now) == (left == 0))
    }

    @Test func anUnknownEndStaysUnknown() throws {
        let read = try #require(SessionRecord(record([.int(1)]).bytes))
        #expect(try #require(read.grant(names: ["c0"], wall: 9_999_999, keepsCookies: true)).lifetime == nil)
        #expect(!read.isExpired(wall: .max))
    }

    @Test func otherNamesAreAnotherSession() throws {
        let read = try #require(SessionRecord(record([.int(1), .int(2)]).bytes))
        #expect(read.grant(names: ["c0"], wall: 0, keepsCookies: false) == nil)
        #expect(read.grant(names: ["c1", "c0"], wall: 0, keepsCookies: false) == nil)
    }

    @Test func theFingerprintIsThatOfTheLogin() throws {
        let old = CredentialGrant(captures: [.string(bytes("t")[...])], names: ["c0"])
        let read = try #require(
            SessionRecord(SessionRecord(old, names: ["c0"], jar: CookieJar(), wall: 0).bytes))
        #expect(try #require(read.grant(names: ["c0"], wall: 0, keepsCookies: false)).fingerprint == old.fingerprint)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"obtained":1}"#, #"{"obtained":"1","expires":null,"captures":[],"cookies":[]}"#,
        #"{"obtained":1,"expires":null,"captures":[["a"]],"cookies":[]}"#,
        #"{"obtained":1,"expires":null,"captures":[["a","int","1"]],"cookies":[]}"#,
        #"{"obtained":1,"expires":null,"captures":[["a","string","%%"]],"cookies":[]}"#,
        #"{"obtained":1,"expires":null,"captures":[["a","other",1]],"cookies":[]}"#,
        #"{"obtained":1,"expires":null,"captures":[],"cookies":[["","",""]]}"#,
    ])
    func anythingElseIsNoRecord(_ text: String) { #expect(SessionRecord(bytes(text)) == nil) }
}
