import Bytes
import Cryptography
import Expressions
import Testing

@testable import Domain

/// No credential leaves in a header field of an answer; what is around it stays usable.
struct AttachedCredentialsTests {
    private func stripped(_ name: String, _ value: String, _ values: [String] = ["tok/canary+1="]) -> String? {
        var block = PairBlock()
        block.append(name: bytes("X-Before"), value: bytes("1"))
        block.append(name: bytes(name), value: bytes(value))
        block.append(name: bytes("X-After"), value: bytes("2"))
        AttachedCredentials(values.map { bytes($0) }).strip(from: &block)
        #expect(block.first("x-before", folding: true).map { Array($0) } == bytes("1"))
        #expect(block.first("x-after", folding: true).map { Array($0) } == bytes("2"))
        guard let index = block.firstIndex(of: bytes(name).span, folding: true) else { return nil }
        return String(decoding: block.value(at: index), as: UTF8.self)
    }

    @Test(arguments: [
        ("http://h/a?q=1&token=tok/canary+1=", "http://h/a?q=1"),
        ("http://h/a?token=tok%2Fcanary%2B1%3D&q=1", "http://h/a?q=1"),
        ("/a?token=tok%2fcanary%2b1%3d&q=1#top", "/a?q=1#top"), ("/a?token=%74ok%2Fcanary%2B1%3D", "/a"),
        ("/a?q=1&t=tok/canary+1=&r=2#x", "/a?q=1&r=2#x"), ("/a?t=tok/canary+1=#x=1", "/a#x=1"),
        ("/a#access_token=tok/canary+1=&state=5", "/a#state=5"), ("/a?x=1#t=tok/canary+1=", "/a?x=1"),
        ("/t/tok/canary+1=/end?q=1", "/t/***/end?q=1"), ("/a?q=1", "/a?q=1"),
        ("/a?token=tok%252Fcanary%252B1%253D&q=1", "/a?q=1"),
        ("/a?q=1&j=%7B%22t%22%3A%22tok%5C%2Fcanary%2B1%3D%22%7D", "/a?q=1"),
        ("/a?t=dG9rL2NhbmFyeSsxPQ&q=1", "/a?q=1"), ("/a?t=dG9rL2NhbmFyeSsxPQ%3D%3D&q=1", "/a?q=1"),
        ("/a?t=746f6b2f63616e6172792b313d&q=1", "/a?q=1"), ("/back/tok%25252Fcanary%2B1%3D/x", "/back/***/x"),
    ])
    func addresses(value: String, left: String) {
        #expect(stripped("Location", value) == left)
        #expect(stripped("content-location", value) == left)
    }

    @Test func otherFields() {
        #expect(
            stripped("Link", "</a?t=tok/canary+1=&p=2>; rel=\"next\", </a?p=9&t=tok%2fcanary%2b1%3d>; rel=last")
                == "</a?p=2>; rel=\"next\", </a?p=9>; rel=last")
        #expect(stripped("WWW-Authenticate", "Bearer realm=\"tok/canary+1=\"") == "Bearer realm=\"***\"")
        #expect(stripped("X-Echo", "tok/canary+1=, tok/canary+1=") == "***, ***")
        #expect(stripped("X-Echo", "a=tok%2Fcanary%2B1%3D") == "a=***")
        #expect(stripped("Location", "/tok%2Fcanary%2B1%3D/a") == "/***/a")
        #expect(stripped("X-Echo", #"{"t":"tok\/canary+1=","n":1}"#) == #"{"t":"***","n":1}"#)
        #expect(stripped("X-Echo", #"{"t":"\u0074ok\u002fcanary\u002B1=","n":1}"#) == #"{"t":"***","n":1}"#)
        #expect(stripped("X-Echo", "a=tok%252fcanary%252b1%253d") == "a=***")
        #expect(stripped("X-Echo", "Basic OnRvay9jYW5hcnkrMT06") == "Basic O***6")
        #expect(stripped("X-Echo", "<t>tok&#47;canary&#x2B;1=</t>") == "<t>***</t>")
        #expect(stripped("X-Echo", "746F6B2F63616E6172792B313D") == "***")
        #expect(stripped("X-Echo", "tok/canary") == "tok/canary")
        #expect(stripped("X-Echo", "1234567", ["1234567"]) == "1234567", "too short to be looked for")
        #expect(stripped("X-Echo", "12345678", ["12345678"]) == "***")
    }

    /// What a hostile upstream sends must not take the square of its length.
    @Test func longFieldsTakeLinearTime() {
        let value = bytes(String(repeating: "%252Ftok/canary+1\\u002f&amp;+", count: 20_000))
        var block = PairBlock()
        block.append(name: bytes("Location"), value: value)
        let start = ContinuousClock.now
        AttachedCredentials([bytes("tok/canary+1=")]).strip(from: &block)
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(block.first("location", folding: true).map { Array($0) } == value)
    }

    private func route() -> RoutePlan {
        RoutePlan(name: "r", pattern: PathPattern(segments: [.rest]), upstream: 0)
    }

    private let upstream = UpstreamPlan(name: "up", scheme: .http, host: "up.test", port: 80)

    /// Everything else that puts a credential into the request counts as the session's own `attach` does.
    @Test func whatTheOthersPutIn() throws {
        let scopes = Scopes(secretNames: ["key", "pin"])
        let scope = scopes.request(captures: ["path", "route", "common", "idle"])
        func attach(_ text: String) throws -> AttachPlan {
            AttachPlan(fields: [
                AttachPlan.Field(place: .header, name: bytes("X-A"), value: try Template(parsing: text, in: scope))
            ])
        }
        var route = route()
        route.rewrite = try Template(
            parsing: "/s/${session.path}${request.path}?k=${base64.encode(secret.key)}", in: scope)
        route.attach = try attach("Token ${session.route}")
        var upstream = upstream
        upstream.attach = try attach("${session.common + secret.pin}")
        let plan = SessionPlan(
            name: "s", upstream: 0, login: [], expired: nil, expiredReadsBody: false, attach: AttachPlan(),
            captureNames: ["path", "route", "common", "idle"], limits: SessionLimits())
        let captures = ["path-canary", "route-canary", "common-canary", "idle-canary"]
        let credential = CredentialSnapshot(
            generation: 1, grant: CredentialGrant(captures: captures.map { .string(bytes($0)) }, fingerprint: []),
            obtainedAt: 0)
        let secrets = [("key", "key-canary"), ("pin", "1234")].map { name, value in
            NamedSecret(name: name, value: Secret(copying: bytes(value).span))
        }
        let places = CredentialSources(route: route, session: plan, upstream: upstream)
        func left(_ credential: CredentialSnapshot?) -> [String] {
            let attached = AttachedCredentials(places, credential, Surroundings(secrets: secrets, device: []))
            var block = PairBlock()
            for value in captures + ["a2V5LWNhbmFyeQ=="] { block.append(name: bytes("X"), value: bytes(value)) }
            attached.strip(from: &block)
            return (0..<block.count).map { String(decoding: block.value(at: $0), as: UTF8.self) }
        }
        #expect(left(credential) == ["***", "***", "***", "idle-canary", "***"])
        #expect(left(nil) == captures + ["***"], "a guest goes out with the secret alone")
    }

    /// What a recipe makes anew is found in the request that went out.
    @Test func whatASignatureMakes() throws {
        let scopes = Scopes(secretNames: ["key"])
        let request = scopes.request()
        let vars = scopes.request(variables: ["jwt", "time", "pair"])
        func field(_ place: AttachPlan.Place, _ name: String, _ text: String) throws -> AttachPlan.Field {
            AttachPlan.Field(place: place, name: bytes(name), value: try Template(parsing: text, in: vars))
        }
        let signature = SignaturePlan(
            name: "s",
            variables: [
                .init(
                    name: "jwt",
                    value: try Expression(parsing: "hex.encode(hmac.sha256(secret.key, request.path))", in: request)),
                .init(name: "time", value: try Expression(parsing: "string(int(now))", in: request)),
                .init(name: "pair", value: try Expression(parsing: "vars.jwt + '.' + vars.time", in: vars)),
            ],
            attach: AttachPlan(fields: [
                try field(.header, "Authorization", "JWT ${vars.jwt}"), try field(.query, "jwt", "${vars.pair}"),
                try field(.query, "time", "${vars.time}"), try field(.form, "f", "${vars.jwt}"),
            ]), readsBody: false)
        var route = route()
        route.signatures = [signature]
        let places = CredentialSources(route: route, session: nil, upstream: upstream)
        let draft = LoginRun.emptyDraft
        draft.fields.append(name: bytes("authorization"), value: bytes("JWT head-canary"))
        draft.query = bytes("a=1&jwt=query%2Fcanary&time=1700000000")
        func made(_ value: String) -> [String] {
            places.made(for: draft, longest: value.utf8.count).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(made("Mon, 30 Nov 2026 16:00:00 GMT") == ["JWT head-canary", "head-canary", "query/canary"])
        #expect(made("twelve bytes") == ["head-canary", "query/canary"])
        #expect(made("0").isEmpty)
    }

    @Test func whatASessionAttaches() throws {
        let scopes = Scopes(secretNames: ["key", "name"])
        let scope = scopes.request(captures: ["token", "other"])
        func field(_ place: AttachPlan.Place, _ name: String, _ text: String) throws -> AttachPlan.Field {
            AttachPlan.Field(place: place, name: bytes(name), value: try Template(parsing: text, in: scope))
        }
        let attach = AttachPlan(fields: [
            try field(.header, "Authorization", "Bearer ${session.token}"),
            try field(.header, "X-Basic", "Basic ${base64.encode(secret.name + ':' + secret.key)}"),
            try field(.query, "sig", "${hex.encode(hash.md5(request.path + secret.key))}"),
        ])
        let plan = SessionPlan(
            name: "s", upstream: 0, login: [], expired: nil, expiredReadsBody: false, attach: attach,
            captureNames: ["token", "other"], limits: SessionLimits())
        let credential = CredentialSnapshot(
            generation: 1,
            grant: CredentialGrant(
                captures: [.string(bytes("t0ken-canary")), .string(bytes("not-attached"))], fingerprint: []),
            obtainedAt: 0)
        let secrets = [("key", "key-canary"), ("name", "somebody")].map { name, value in
            NamedSecret(name: name, value: Secret(copying: bytes(value).span))
        }
        let attached = AttachedCredentials(
            CredentialSources(route: route(), session: plan, upstream: upstream), credential,
            Surroundings(secrets: secrets, device: []))
        var block = PairBlock()
        for value in [
            "t0ken-canary", "Bearer t0ken-canary", "c29tZWJvZHk6a2V5LWNhbmFyeQ==", "key-canary", "somebody",
            "not-attached",
        ] {
            block.append(name: bytes("X"), value: bytes(value))
        }
        attached.strip(from: &block)
        let left = (0..<block.count).map { String(decoding: block.value(at: $0), as: UTF8.self) }
        #expect(left[0] == "***" && left[1].hasSuffix("***") && left[2] == "***" && left[3] == "***")
        #expect(left[4...] == ["somebody", "not-attached"], "what goes out only inside a digest or not at all")
    }
}
