import Testing

@testable import Domain

/// A redirect to the upstream's own origin leads back to the gateway, where the path can be mapped back.
@Suite struct OwnLocationTests {
    private func value(
        _ location: String, scheme: UpstreamPlan.Scheme = .https, port: UInt16 = 443, base: String = "",
        request: String = "/a", sent: String = "/a", isRewritten: Bool = false
    ) -> String? {
        let upstream = UpstreamPlan(name: "u", scheme: scheme, host: "api.test", port: port, basePath: bytes(base))
        return OwnLocation(
            bytes(location)[...], at: upstream, request: bytes(request)[...], sent: bytes(sent),
            isRewritten: isRewritten
        ).map { text($0.value) }
    }

    @Test(
        arguments: [
            ("https://api.test/login?a=1#b", "/login?a=1#b"), ("HTTPS://API.test:443/", "/"), ("https://api.test", "/"),
            ("https://api.test?x", "/?x"), ("//api.test/x", "/x"),
            ("http://api.test/x", nil), ("https://api.test:8443/x", nil), ("https://api.test.evil/x", nil),
            ("https://u@api.test/x", nil), ("https://evil/https://api.test/", nil), ("/x", nil), ("x", nil), ("", nil),
            ("https://api.test//evil.test/x", nil), ("https:/api.test/x", nil),
            ("https://api.test/\\evil.test", nil), ("https://api.test/\t/evil.test", nil),
            ("https://api.test/a b", nil),
        ] as [(String, String?)])
    func theOriginMustBeTheUpstreams(_ location: String, _ expected: String?) {
        #expect(value(location) == expected)
    }

    @Test func portsAreCompared() {
        #expect(value("http://api.test:8080/x", scheme: .http, port: 8080) == "/x")
        #expect(value("http://api.test/x", scheme: .http, port: 8080) == nil)
    }

    @Test(
        arguments: [
            ("https://api.test/base/x", "/x"), ("https://api.test/base", "/"), ("https://api.test/basement", nil),
            ("https://api.test/x", nil),
        ] as [(String, String?)])
    func theUpstreamsOwnPathGoes(_ location: String, _ expected: String?) {
        #expect(value(location, base: "/base", sent: "/base/a") == expected)
    }

    @Test(
        arguments: [
            ("/shop/a/b", "/v1/a/b", "https://api.test/v1/c", "/shop/c"),
            ("/shop/a", "/a", "https://api.test/c?d", "/shop/c?d"),
            ("/a", "/v1/a", "https://api.test/v1/c", "/c"), ("/shop/a", "/v1/a", "https://api.test/v2/c", nil),
            ("/shop/a", "/v1/a", "https://api.test/v1x/c", nil),
            ("/user/login", "/index.php", "https://api.test/index.php", nil),
        ] as [(String, String, String, String?)])
    func theChangedPrefixIsChangedBack(_ request: String, _ sent: String, _ location: String, _ expected: String?) {
        #expect(value(location, request: request, sent: sent, isRewritten: true) == expected)
    }
}
