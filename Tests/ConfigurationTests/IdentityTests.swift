import Configuration
import Domain
import Testing

@testable import Configuration

/// Which keys keep a session and an upstream's connections over a reload.
struct IdentityTests {
    /// One change of a section, and what a reload with it keeps.
    struct Change: CustomTestStringConvertible, Sendable {
        /// The key at the top of the section that it is about.
        let key: String
        let old: String
        let new: String
        let keepsSession: Bool
        var keepsUpstream = true
        var testDescription: String { "\(key): \(old) -> \(new)" }
    }

    /// Of `upstreams.up`.
    static let upstream: [Change] = [
        Change(
            key: "url", old: "\"http://127.0.0.1:81\"", new: "\"http://127.0.0.1:82\"", keepsSession: false,
            keepsUpstream: false),
        Change(key: "url", old: "\"http://127.0.0.1:81\"", new: "\"http://127.0.0.1:81/v2\"", keepsSession: false),
        Change(key: "profile", old: "{name: http_digest, user: a, password: b}", new: "", keepsSession: true),
        Change(key: "socket", old: "/run/a.sock", new: "/run/b.sock", keepsSession: false, keepsUpstream: false),
        Change(key: "address", old: "127.0.0.2", new: "127.0.0.3", keepsSession: false, keepsUpstream: false),
        Change(key: "http", old: "1", new: "2", keepsSession: true, keepsUpstream: false),
        Change(
            key: "timeouts", old: "{connect: 3s}", new: "{connect: 4s, first_byte: 1s, idle: 1s, total: 9s}",
            keepsSession: true),
        Change(key: "tls", old: "{}", new: "{verify: false}", keepsSession: true, keepsUpstream: false),
        Change(key: "tls", old: "{}", new: "{ca_file: ca.pem}", keepsSession: true, keepsUpstream: false),
        Change(
            key: "tls", old: "{}", new: "{client_certificate: ca.pem, client_key: key.pem}", keepsSession: false,
            keepsUpstream: false),
        Change(key: "proxy", old: "", new: "\"http://127.0.0.1:3128\"", keepsSession: true, keepsUpstream: false),
        Change(key: "probe", old: "{path: /a, every: 5s}", new: "{path: /b, every: 6s}", keepsSession: true),
        Change(key: "breaker", old: "{after: 5}", new: "{after: 6, wait: 2s, wait_max: 3s}", keepsSession: true),
        Change(key: "clock", old: "{learn_from: none}", new: "{learn_from: date}", keepsSession: true),
        // It goes with logins too.
        Change(key: "attach", old: "{header: {Tenant: a}}", new: "{header: {Tenant: b}}", keepsSession: false),
        Change(
            key: "limits", old: "{in_flight: 1}",
            new:
                "{in_flight: 2, queued: 3, queue_time: 4s, idle_connections: 5, idle_age: 6s, answer_fields: 7, interim: 8}",
            keepsSession: true),
    ]

    /// Of `sessions.api`.
    static let session: [Change] = [
        Change(key: "upstream", old: "up", new: "other", keepsSession: false),
        Change(key: "login", old: login("/login"), new: login("/login2"), keepsSession: false),
        Change(key: "login", old: login("/login"), new: login("/login", capture: "json.other"), keepsSession: false),
        Change(
            key: "refresh", old: "{request: {path: /a}, capture: {t: json.t}}",
            new: "{request: {path: /b}, capture: {t: json.t}}", keepsSession: false),
        Change(key: "refresh_expired", old: "true", new: "false", keepsSession: true),
        Change(key: "seed", old: "{r: \"${secret.word}\"}", new: "{r: \"${secret.other}\"}", keepsSession: false),
        Change(key: "logout", old: "", new: "{request: {path: /out}}", keepsSession: true),
        Change(key: "update", old: "{t: json.t}", new: "{t: json.u}", keepsSession: true),
        // One more value: the numbers of the others are another's.
        Change(key: "update", old: "{t: json.t}", new: "{t: json.t, u: json.u}", keepsSession: false),
        Change(
            key: "oauth2", old: oauth2("/token"), new: oauth2("/tokens"), keepsSession: false),
        Change(key: "token", old: "{file: /run/a}", new: "{file: /run/b}", keepsSession: false),
        Change(key: "human", old: "", new: "call them", keepsSession: false),
        Change(key: "human", old: "call them", new: "write to them", keepsSession: true),
        Change(key: "cookies", old: "false", new: "true", keepsSession: false),
        Change(key: "taken", old: "status == 1", new: "status == 2", keepsSession: true),
        Change(key: "on_taken", old: "yield", new: "takeover", keepsSession: true),
        Change(key: "takeover_limit", old: "{times: 1}", new: "{times: 2}", keepsSession: true),
        Change(key: "expired", old: "status == 1", new: "json.x == 2", keepsSession: true),
        Change(
            key: "attach", old: "{header: {A: \"${session.t}\"}}", new: "{query: {a: \"${session.t}${secret.other}\"}}",
            keepsSession: true),
        Change(
            key: "store", old: "{file: a.session, key: \"${secret.key}\"}",
            new: "{file: b.session, key: \"${secret.key}\"}", keepsSession: true),
        Change(
            key: "digest_auth", old: "{username: a, password: \"${secret.word}\"}",
            new: "{username: b, password: \"${secret.word}\"}", keepsSession: false),
        Change(
            key: "dpop", old: "{key: \"${secret.seed}\", algorithm: EdDSA}", new: "", keepsSession: false),
        Change(
            key: "keepalive", old: "{request: {path: /a}, every: 1m}", new: "{request: {path: /b}, every: 2m}",
            keepsSession: true),
        Change(key: "envelope", old: "one", new: "two", keepsSession: true),
        Change(key: "refresh_ahead", old: "1s", new: "2s", keepsSession: true),
        Change(key: "wait", old: "{requests: 1}", new: "{requests: 2, time: 3s}", keepsSession: true),
        Change(key: "in_flight", old: "1", new: "2", keepsSession: true),
        Change(key: "login_time", old: "1s", new: "2s", keepsSession: true),
        Change(key: "backoff", old: "{min: 1s}", new: "{min: 2s, max: 3s}", keepsSession: true),
        Change(key: "attempts_window", old: "{logins: 1}", new: "{logins: 2, per: 3s}", keepsSession: true),
    ]

    static func login(_ path: String, capture: String = "json.t") -> String {
        "{request: {path: \(path), form: {p: \"${secret.word}\"}}, sign: s, capture: {t: \(capture)}}"
    }

    static func oauth2(_ path: String) -> String {
        "{grant: client_credentials, token_path: \(path), client_id: a, client_secret: \"${secret.word}\"}"
    }

    static let secrets = [
        "WORD": "a word of sixteen", "OTHER": "another of sixteen", "KEY": "0123456789abcdef0123", "SIGN": "s1gn",
        "SEED": SampleKeys.seed,
    ]

    @Test func theTableHasEveryKey() {
        for (section, changes) in [("upstreams.NAME.", Self.upstream), ("sessions.NAME.", Self.session)] {
            let keys = KeyCatalogue.rows.map(\.path).filter { $0.hasPrefix(section) }
                .map { $0.dropFirst(section.count) }.filter { !$0.contains(".") && !$0.contains("[") }.map(String.init)
            #expect(Set(changes.map(\.key)) == Set(keys))
        }
    }

    @Test(arguments: upstream.filter { $0.key != "profile" }) func upstreamKeys(_ change: Change) throws {
        let before = try plan(upstream: [change.key: change.old])
        expect(before, try plan(upstream: [change.key: change.new]), change)
        // The same text is the same in every respect.
        expect(
            before, try plan(upstream: [change.key: change.old]), Change(key: "", old: "", new: "", keepsSession: true))
    }

    @Test(arguments: session) func sessionKeys(_ change: Change) throws {
        let before = try plan(session: [change.key: change.old])
        expect(before, try plan(session: [change.key: change.new]), change)
        expect(
            before, try plan(session: [change.key: change.old]), Change(key: "", old: "", new: "", keepsSession: true))
    }

    @Test(arguments: [
        ("WORD", false), ("SIGN", false), ("OTHER", true), ("KEY", true), ("SEED", true),
    ]) func secretsOfTheLoginOnly(_ name: String, _ keeps: Bool) throws {
        let use = [
            "attach": "{header: {A: \"${session.t}${secret.other}\"}}", "store": "{file: a, key: \"${secret.key}\"}",
        ]
        let changed = Self.secrets.merging([name: "something else of 16"]) { $1 }
        let same = try plan(session: use)
        let other = try plan(session: use, environment: name == "SEED" ? Self.secrets : changed)
        #expect((same.sessions[0].identity == other.sessions[0].identity) == keeps)
    }

    @Test func aSecretThatGoesWithEveryRequestIsPartOfTheLogin() throws {
        let use = ["attach": "{header: {Key: \"${secret.other}\"}}"]
        let changed = Self.secrets.merging(["OTHER": "something else"]) { $1 }
        let (old, new) = (try plan(upstream: use), try plan(upstream: use, environment: changed))
        #expect(old.sessions[0].identity != new.sessions[0].identity)
        #expect(old.upstreams[0].way == new.upstreams[0].way)
    }

    @Test func theWordsOfOtherSectionsKeepEverything() throws {
        let before = try plan()
        let after = try plan(top: "limits: {in_flight: 7}\ntexts: {en: {offline: Gone.}}\nlog: {level: debug}\n")
        expect(before, after, Change(key: "", old: "", new: "", keepsSession: true))
    }

    private func expect(_ before: GatewayPlan, _ after: GatewayPlan, _ change: Change) {
        #expect((before.sessions[0].identity == after.sessions[0].identity) == change.keepsSession)
        #expect((before.upstreams[0].way == after.upstreams[0].way) == change.keepsUpstream)
    }

    private func plan(
        upstream: [String: String] = [:], session: [String: String] = [:], top: String = "",
        environment: [String: String] = secrets
    ) throws -> GatewayPlan {
        var upstream = upstream
        var session = session
        if upstream["url"] == nil {
            let isTLS = upstream["tls"] != nil
            upstream["url"] = isTLS ? "\"https://127.0.0.1:81\"" : "\"http://127.0.0.1:81\""
        }
        if session["upstream"] == nil { session["upstream"] = "up" }
        if session["seed"] != nil {
            session["refresh"] = "{request: {path: /r, form: {r: \"${session.r}\"}}, capture: {r: json.r}}"
        }
        let ways = ["login", "oauth2", "token", "human"].filter { session[$0]?.isEmpty == false }
        if ways.isEmpty { session["login"] = Self.login("/login") }
        func lines(_ section: [String: String]) -> String {
            section.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { "    \($0.key): \($0.value)\n" }
                .joined()
        }
        let text = """
            listen: 127.0.0.1:8080
            \(top)secrets:
              word: {env: WORD}
              other: {env: OTHER}
              key: {env: KEY}
              sign: {env: SIGN}
              seed: {env: SEED}
            upstreams:
              up:
            \(lines(upstream))  other:
                url: "http://127.0.0.1:99"
            sessions:
              api:
            \(lines(session))signatures:
              s: {attach: {header: {S: "${hash.md5(secret.sign)}"}}}
              unused: {attach: {header: {S: "${nonce}"}}}
            envelopes: {one: {data: json}, two: {open: json.d}}
            routes: [{path: /**, upstream: up, session: api}]
            """
        let folder = try TestFolder()
        try folder.write("pem", to: "ca.pem")
        try folder.write("pem", to: "key.pem")
        let file = try folder.write(text, to: "config.yaml")
        let outcome = ConfigLoader(environment: environment).load(path: file)
        guard case .plan(let plan, _) = outcome else {
            Issue.record("\(outcome.text)\n\(text)")
            throw Missing()
        }
        return plan
    }

    private struct Missing: Error {}
}
