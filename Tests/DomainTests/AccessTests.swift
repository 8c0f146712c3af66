import Testing

@testable import Domain

@Suite struct AccessTests {
    private let rule = AccessRule(plan: AccessPlan(origins: ["https://app.example", "http://pc.lan:3000"]))

    private func caller(_ pairs: [(String, String)], host: String? = "localhost:8080") -> String {
        do {
            switch try rule.check(fields(pairs), authority: host.map { bytes($0)[...] }) {
            case .program: return "program"
            case .ownPage: return "own"
            case .listedOrigin(let origin): return "listed " + String(decoding: origin, as: UTF8.self)
            }
        } catch {
            return error.kind == .forbidden ? "forbidden" : "wrong kind"
        }
    }

    @Test(arguments: ["http://localhost:9180", "https://app.example", "null"])
    func theAdminListenerTakesNoOrigin(origin: String) throws {
        let authority = bytes("localhost:9180")[...]
        #expect(throws: GatewayError.self) {
            try AccessRule.admin.check(fields([("Origin", origin)]), authority: authority)
        }
        #expect(try AccessRule.admin.check(fields([("Sec-Fetch-Site", "none")]), authority: authority) == .ownPage)
        #expect(try AccessRule.admin.check(fields([]), authority: authority) == .program)
    }

    @Test func programsPass() {
        #expect(caller([]) == "program")
        #expect(caller([("User-Agent", "curl"), ("Sec-Websocket-Key", "x"), ("Original", "1")]) == "program")
    }

    @Test(arguments: [
        ("http://localhost:8080", "own"), ("HTTP://LOCALHOST:8080", "own"), ("http://localhost", "forbidden"),
        ("http://localhost:8081", "forbidden"), ("https://localhost:8080", "forbidden"), ("null", "forbidden"),
        ("", "forbidden"), ("https://evil.example", "forbidden"), ("https://app.example", "listed https://app.example"),
        ("https://app.example.evil", "forbidden"), ("https://app.example:444", "forbidden"),
        ("http://pc.lan:3000", "listed http://pc.lan:3000"), ("http://localhost:8080.evil", "forbidden"),
    ])
    func originDecides(_ origin: String, _ expected: String) {
        #expect(caller([("oRiGiN", origin)]) == expected)
    }

    @Test(arguments: [
        ("none", "own"), ("same-origin", "own"), ("same-site", "forbidden"), ("cross-site", "forbidden"),
        ("", "forbidden"), ("None", "forbidden"),
    ])
    func withoutAnOriginTheSiteDecides(_ site: String, _ expected: String) {
        #expect(caller([("Sec-Fetch-Site", site)]) == expected)
    }

    @Test(arguments: [
        ("https://evil.example/", "forbidden"), ("https://evil.example", "forbidden"),
        ("http://localhost:8080/a?b", "own"),
        ("HTTP://LocalHost:8080", "own"), ("http://localhost:8081/", "forbidden"),
        ("https://localhost:8080/", "forbidden"),
        ("https://app.example/page#x", "listed https://app.example"), ("https://app.example.evil/", "forbidden"),
        ("http://localhost:8080@evil.example/", "forbidden"), ("http://localhost:8080\\@evil.example/", "own"),
        ("android-app://com.evil/", "forbidden"), ("http://", "forbidden"), ("://", "forbidden"),
        ("", "program"), ("about:blank", "program"), ("/page", "program"), ("/page?u=https://x.example/", "program"),
        ("page#https://x.example/", "program"),
    ])
    func withoutEitherTheRefererDecides(_ referer: String, _ expected: String) {
        #expect(caller([("rEfErEr", referer)]) == expected)
    }

    @Test func theRefererSaysNothingBesideBetterWitnesses() {
        #expect(caller([("Referer", "https://evil.example/"), ("Sec-Fetch-Site", "none")]) == "own")
        #expect(caller([("Referer", "https://evil.example/"), ("Origin", "http://localhost:8080")]) == "own")
        #expect(caller([("Referer", "http://localhost:8080/"), ("Origin", "https://evil.example")]) == "forbidden")
        #expect(caller([("Referer", "http://localhost:8080/"), ("Referer", "https://evil.example/")]) == "forbidden")
    }

    @Test func anyFetchMetadataMeansABrowser() {
        #expect(caller([("Sec-Fetch-Mode", "no-cors")]) == "forbidden")
        #expect(caller([("Sec-Fetch-Dest", "image"), ("Sec-Fetch-Site", "none")]) == "own")
    }

    @Test func contradictionsAreRefused() {
        #expect(caller([("Origin", "http://localhost:8080"), ("Sec-Fetch-Site", "cross-site")]) == "forbidden")
        #expect(caller([("Origin", "http://localhost:8080"), ("Origin", "http://localhost:8080")]) == "forbidden")
        #expect(caller([("Sec-Fetch-Site", "none"), ("Sec-Fetch-Site", "cross-site")]) == "forbidden")
        #expect(caller([("Origin", "https://app.example"), ("Sec-Fetch-Site", "cross-site")]).hasPrefix("listed"))
    }

    @Test func withoutAHostNoOriginIsOurs() {
        #expect(caller([("Origin", "http://localhost:8080")], host: nil) == "forbidden")
        #expect(caller([("Origin", "http://")], host: "") == "forbidden")
        #expect(caller([("Origin", "http://localhost")], host: "localhost:80") == "own")
    }

    @Test(arguments: [(0, false), (7, false), (8, true), (9, true)])
    func nearACapConnectionsClose(_ inFlight: Int, _ closes: Bool) {
        var limits = GatewayLimits()
        (limits.inFlight, limits.connections) = (10, 10)
        let rule = AdmissionRule(limits: limits)
        #expect(rule.exchange(inFlight: inFlight, isDraining: false) == .admit(closeAfter: closes))
        #expect(rule.connection(open: inFlight) == .admit(closeAfter: closes))
        #expect(rule.exchange(inFlight: 0, isDraining: true) == .admit(closeAfter: true))
        guard case .refuse(let error) = rule.exchange(inFlight: 10, isDraining: false) else {
            Issue.record("admitted above the cap")
            return
        }
        #expect(error.kind == .overloaded && error.retryAfter == s(1))
    }
}
