import Domain
import Testing

@testable import Configuration

struct SyntaxTests {
    @Test(
        arguments: [
            ("500ms", 500), ("3s", 3000), ("5m", 300_000), ("1h", 3_600_000), ("1m30s", 90_000), ("1.5s", 1500),
            ("0", 0),
            ("0s", 0), ("1d", 86_400_000), ("0.001s", 1), ("365d", 31_536_000_000),
        ] as [(String, UInt64)])
    func durations(_ text: String, _ milliseconds: UInt64) {
        #expect(DurationSyntax.parse(text) == milliseconds * 1_000_000)
    }

    @Test(arguments: [
        "", "5", "s", "5 s", "-5s", "+5s", "5S", "5sec", "1s1s", "1s1m", "1.s", ".5s", "1.5.5s", "0.0001s", "366d",
        "99999999999999999999s", "18446744073709551615h", "1e3s", "5ms5", "٥s",
    ])
    func notDurations(_ text: String) { #expect(DurationSyntax.parse(text) == nil) }

    @Test(
        arguments: [
            (500_000_000, "500ms"), (90_000_000_000, "90s"), (3_600_000_000_000, "1h"), (0, "0s"),
            (300_000_000_000, "5m"), (172_800_000_000_000, "48h"),
        ] as [(UInt64, String)])
    func durationTexts(_ nanoseconds: UInt64, _ text: String) {
        #expect(DurationSyntax.text(nanoseconds) == text)
        #expect(DurationSyntax.parse(text) == nanoseconds)
    }

    @Test(
        arguments: [
            ("0", 0), ("100", 100), ("64KiB", 65_536), ("10MiB", 10_485_760), ("1GiB", 1 << 30), ("7B", 7),
            ("1.5KiB", 1536),
        ] as [(String, UInt64)])
    func sizes(_ text: String, _ bytes: UInt64) { #expect(SizeSyntax.parse(text) == bytes) }

    @Test(arguments: [
        "", "KiB", "10MB", "10M", "10kib", "-1", "1.5", "1.0001KiB", "99999999999GiB", "18446744073709551616", "1 KiB",
        "0x10", "1_000",
    ])
    func notSizes(_ text: String) { #expect(SizeSyntax.parse(text) == nil) }

    @Test(
        arguments: [
            ("127.0.0.1:8080", .tcp(host: "127.0.0.1", port: 8080)), ("[::1]:0", .tcp(host: "::1", port: 0)),
            ("localhost:1", .localhost(port: 1)), ("unix:/run/a.sock", .unix(path: "/run/a.sock")),
            ("0.0.0.0:80", .tcp(host: "0.0.0.0", port: 80)),
        ] as [(String, ListenerPlan)])
    func addresses(_ text: String, _ expected: ListenerPlan) throws {
        #expect(try AddressSyntax.parse(text).get() == expected)
    }

    @Test(arguments: [
        "", "8080", ":8080", "*:8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:80", "[::1]", "[::1]80",
        "unix:run", "unix:", "example.com:80", "127.0.0.1:80:80", "127.1:80", "127.0.0.01:80", "[fe80::1%lo]:80",
        "127.0.0.1:-1", "unix:/" + String(repeating: "a", count: 107), "[:::]:80", "a@127.0.0.1:80",
    ])
    func notAddresses(_ text: String) { #expect(throws: AddressProblem.self) { try AddressSyntax.parse(text).get() } }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.9", true), ("::1", true), ("0:0:0:0:0:0:0:1", true),
        ("::ffff:127.0.0.1", true), ("0.0.0.0", false), ("::", false), ("10.0.0.1", false), ("::ffff:10.0.0.1", false),
    ])
    func loopback(_ host: String, _ isLoopback: Bool) {
        #expect(AddressSyntax.isLoopback(.tcp(host: host, port: 1)) == isLoopback)
    }

    @Test(
        arguments: [
            ("https://a.example", "a.example", nil, ""), ("http://A.example:81/x/", "a.example", 81, "/x"),
            ("https://[2001:DB8::1]:8443/a/b", "[2001:db8::1]", 8443, "/a/b"),
            ("http://127.0.0.1/", "127.0.0.1", nil, ""),
            ("HTTPS://a_b.example/%7e", "a_b.example", nil, "/%7e"),
        ] as [(String, String, UInt16?, String)])
    func urls(_ text: String, _ host: String, _ port: UInt16?, _ path: String) throws {
        let url = try URLSyntax.parse(text, schemes: ["http", "https"]).get()
        #expect(url.authority.host == host)
        #expect(url.authority.port == port)
        #expect(String(decoding: url.path, as: UTF8.self) == path)
    }

    @Test(arguments: [
        "", "a.example", "ftp://a.example", "https:/a", "https://", "https:///x", "https://a.example?x",
        "https://a.example/?x", "https://a.example/#x", "https://u:p@a.example", "https://u@a.example",
        "https://a.example:0", "https://a.example:65536", "https://a.example:", "https://bücher.example",
        "https://a..example", "https://-a.example", "https://1.2.3", "https://1.2.3.256", "https://a.example/../x",
        "https://a.example/%2e%2e", "https://a.example/%zz", "https://a.example/%00", "https://a.example/a b",
        "https://[::1", "https://a.example\\x", "https://a%2eexample",
    ])
    func notURLs(_ text: String) {
        #expect(throws: AddressProblem.self) { try URLSyntax.parse(text, schemes: ["http", "https"]).get() }
    }

    @Test func aURLWithAPasswordIsNeverRepeated() {
        let text = load(minimal("").replacing("a.example", with: "user:hunter2@a.example")).text
        #expect(text.contains("no user name or password"))
        #expect(!text.contains("hunter2"))
    }

    @Test(
        arguments: [
            ("billling", "billing"), ("upstreem", "upstream"), ("lisetn", "listen"), ("xyz", nil), ("a", "b"),
        ] as [(String, String?)])
    func suggestions(_ word: String, _ expected: String?) {
        #expect(Suggestion.nearest(to: word, among: ["billing", "search", "upstream", "listen", "b"]) == expected)
    }
}
