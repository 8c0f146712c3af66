import HTTPWire
import Testing

@testable import Domain

@Suite struct RouteTests {
    @Test(arguments: [
        ("/", "/", true), ("/", "/a", false), ("/a", "/a", true), ("/a", "/a/", false), ("/a/", "/a/", true),
        ("/a/", "/a", false), ("/a/*", "/a/b", true), ("/a/*", "/a/", false), ("/a/*", "/a", false),
        ("/a/*", "/a/b/c", false), ("/a/*/c", "/a/b/c", true), ("/a/{id}/c", "/a/%2F/c", true),
        ("/api/**", "/api", true), ("/api/**", "/api/", true), ("/api/**", "/api/x/y", true),
        ("/api/**", "/apis", false), ("/api/**", "/ap", false), ("/**", "/", true), ("/**", "/x//y", true),
        ("/a/b", "/a/B", false), ("/a%2Fb", "/a%2Fb", true), ("/a%2Fb", "/a/b", false), ("/api/**", "/%61pi/x", false),
        ("/a//b", "/a//b", true), ("/a//b", "/a/x/b", false), ("/a", "", false), ("/a", "a", false),
        ("/x/*/**", "/x/y", true), ("/x/*/**", "/x", false), ("/x/*/**", "/x/", false),
    ])
    func patternsMatchRawPaths(_ pattern: String, _ path: String, _ expected: Bool) throws {
        #expect(try PathPattern(parsing: pattern).matches(bytes(path).span) == expected, "\(pattern) \(path)")
    }

    @Test(arguments: [
        ("api", 0), ("", 0), ("/a*", 2), ("/**/a", 3), ("/a/***", 3), ("/{", 1), ("/{}", 1), ("/{a}b", 1),
        ("/{1a}", 1), ("/{a}/{a}", 5), ("/a?b", 2), ("/a#b", 2), ("/a b", 2), ("/ü", 1), ("/a\\b", 2), ("/%zz", 1),
        ("/%2", 1), ("/a/../b", 3), ("/.", 1), ("/a/{b-c}", 3),
    ])
    func wrongPatternsAreRefusedAtTheirByte(_ pattern: String, _ offset: Int) {
        #expect { try PathPattern(parsing: pattern) } throws: { ($0 as? PathPatternError)?.offset == offset }
    }

    @Test func aPatternHasAnEnd() {
        let long = String(repeating: "/a", count: 65)
        #expect(throws: PathPatternError.self) { try PathPattern(parsing: long) }
        #expect(throws: Never.self) { try PathPattern(parsing: String(long.dropLast(2))) }
    }

    private func table(_ rules: [(String, [RequestMethod]?, [String])]) throws -> RouteTable {
        RouteTable(
            try rules.map {
                RouteTable.Rule(
                    pattern: try PathPattern(parsing: $0.0), methods: $0.1, hosts: $0.2.map { bytes($0) })
            })
    }

    @Test(arguments: [
        ("GET", "/items/1", "x", "0"), ("POST", "/items/1", "x", "1"),
        ("DELETE", "/items/1", "x", "405 GET, POST, PUT"), ("GET", "/items/special", "x", "0"),
        ("GET", "/admin/x", "admin.lan", "3"), ("GET", "/admin/x", "admin.lan:81", "3"),
        ("GET", "/admin/x", "ADMIN.lan", "3"), ("GET", "/admin/x", "other", "404"), ("GET", "/admin/x", "", "404"),
        ("GET", "/port", "[::1]:80", "4"), ("GET", "/port", "[::1]:81", "404"), ("GET", "/six", "[::1]:81", "5"),
        ("GET", "/none", "x", "404"),
    ])
    func theFirstMatchWins(_ method: String, _ path: String, _ host: String, _ expected: String) throws {
        let table = try table([
            ("/items/*", [.get], []), ("/items/*", [.post, .put], []), ("/items/special", [.get], []),
            ("/admin/**", nil, ["admin.lan"]), ("/port", nil, ["[::1]:80"]), ("/six", nil, ["[::1]"]),
        ])
        let found =
            switch table.match(
                host: host.isEmpty ? nil : bytes(host)[...], path: bytes(path)[...],
                method: try #require(RequestMethod(method)))
            {
            case .route(let index): "\(index)"
            case .methodNotAllowed(let allow): "405 " + text(allow)
            case .notFound: "404"
            }
        #expect(found == expected)
    }

    @Test func aRouteOfTheConfigKeepsItsMethods() throws {
        var route = RoutePlan(name: "/a", pattern: try PathPattern(parsing: "/a"), upstream: 0)
        route.methods = [.get]
        let table = RouteTable([route])
        #expect(table.match(host: nil, path: bytes("/a")[...], method: .get) == .route(0))
        #expect(
            table.match(host: nil, path: bytes("/a")[...], method: .post) == .methodNotAllowed(allow: bytes("GET")))
    }

    @Test func routesThatCanNeverMatchAreFound() throws {
        let table = try table([
            ("/a/**", [.get], []),
            ("/a/b", [.get], []),  // 1: by 0
            ("/a/b", [.post], []),
            ("/a/b", [.get, .post], []),  // 3: both methods are taken
            ("/a/*", nil, []),
            ("/a/c", [.delete], ["h"]),  // 5: by 4
            ("/h/**", nil, ["one", "two"]),
            ("/h/x", nil, ["one:80"]),  // 7: by 6
            ("/h/x", nil, ["three"]),
            ("/h/x", nil, []),
            ("/a/", nil, []),
            ("/**", nil, []),
            ("/z", nil, []),  // 12: by 11
        ])
        #expect(table.shadows().map { "\($0.route)<\($0.by)" } == ["1<0", "3<2", "5<4", "7<6", "12<11"])
    }

    /// Against each compared with each.
    @Test func shadowsOfManyRoutesAreThoseOfEachPair() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let rules = (0..<30).map { _ in
                let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    ["a", "b", "*", ""].randomElement(using: &random) ?? ""
                }
                let rest = Bool.random(using: &random) ? "/**" : ""
                let hosts = ["one", "two", "ONE:80"].filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
                let methods: [RequestMethod]? = [[.get], [.get, .post], nil, nil].randomElement(using: &random) ?? nil
                return ("/" + parts.joined(separator: "/") + rest, methods, hosts)
            }
            let table = try table(rules)
            #expect(table.shadows() == naive(table.rules), "\(rules)")
        }
    }

    private func naive(_ rules: [RouteTable.Rule]) -> [RouteTable.Shadow] {
        rules.indices.compactMap { later in
            var left = rules[later].methods ?? RequestMethod.common
            for earlier in 0..<later
            where rules[earlier].pattern.covers(rules[later].pattern)
                && RouteTable.covers(hosts: rules[earlier].hosts, rules[later].hosts)
            {
                left.removeAll { (rules[earlier].methods ?? RequestMethod.common).contains($0) }
                if left.isEmpty { return RouteTable.Shadow(route: later, by: earlier) }
            }
            return nil
        }
    }

    @Test(arguments: [
        ("/**", "/", true), ("/**", "/**", true), ("/a/**", "/a", true), ("/a", "/a/**", false), ("/*", "/a", true),
        ("/*", "/", false), ("/a", "/*", false), ("/*", "/**", false), ("/*/b", "/a/b", true), ("/a/**", "/*/b", false),
        ("/a/*", "/a/{x}", true), ("/a/b", "/a/b/c", false), ("/a/b/c", "/a/b", false),
    ])
    func coverage(_ wide: String, _ narrow: String, _ expected: Bool) throws {
        #expect(try PathPattern(parsing: wide).covers(try PathPattern(parsing: narrow)) == expected)
    }
}
