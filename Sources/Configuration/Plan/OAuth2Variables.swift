import Domain
import Expressions

/// The values that OAuth 2.0 steps compute before their request: what the section's templates give, and assertions made of
/// them (RFC 7523 3). Assertions live two minutes: clocks differ, and each is used at once.
struct OAuth2Variables {
    private let raw: RawOAuth2
    private let captures: [String]
    private let builder: PlanBuilder
    private(set) var all: [LoginStep.Variable] = []
    private let endpoint: String

    init(_ raw: RawOAuth2, captures: [String], builder: PlanBuilder, upstream: Int) {
        self.raw = raw
        self.captures = captures
        self.builder = builder
        let url = builder.raw.upstreams[upstream].value.url?.value
        endpoint =
            url.map { url in
                let port = url.authority.port.map { ":\($0)" } ?? ""
                return "\(url.scheme)://\(url.authority.host)\(port)\(String(decoding: url.path, as: UTF8.self))"
            } ?? ""
    }

    var names: [String] { all.map(\.name) }

    /// Value of the `Authorization` field. RFC 6749 2.3.1: both halves are form-encoded first.
    mutating func basic() -> String {
        add("client_id")
        add("client_secret")
        return "Basic ${base64.encode(url.encodeForm(string(vars.client_id)) + ':'"
            + " + url.encodeForm(string(vars.client_secret)))}"
    }

    /// RFC 7523 2.2.
    mutating func clientAssertion() -> String {
        add("client_id")
        return assertion(
            "client", key: raw.clientAuth == .secretJWT ? "client_secret" : "private_key",
            claims: ["iss": "vars.client_id", "sub": "vars.client_id"])
    }

    /// RFC 7523 2.1.
    mutating func grantAssertion() -> String {
        add(raw["issuer"] == nil ? "client_id" : "issuer")
        let issuer = raw["issuer"] == nil ? "vars.client_id" : "vars.issuer"
        if raw["subject"] != nil { add("subject") }
        var claims = ["iss": issuer, "sub": raw["subject"] == nil ? issuer : "vars.subject"]
        for (index, claim) in raw.claims.enumerated() {
            add("claim_\(index)", claim.value)
            claims[claim.name] = "vars.claim_\(index)"
        }
        return assertion("grant", key: raw["private_key"] == nil ? "client_secret" : "private_key", claims: claims)
    }

    private mutating func assertion(_ name: String, key: String, claims: [String: String]) -> String {
        add(key)
        if raw["key_id"] != nil { add("key_id") }
        if let audience = raw["audience_url"] {
            add("audience_url", audience)
        } else if let path = raw.tokenPath {
            // The URL as the file has it, and the path after it.
            add("token_path", path)
        }
        let algorithm = raw.algorithm ?? (key == "client_secret" ? .HS256 : .RS256)
        if let cursor = raw[key], let used = JOSE.Algorithm(rawValue: algorithm.rawValue) {
            builder.checkKey(cursor, try? Template(parsing: cursor.text ?? "", in: builder.scopes.request()), for: used)
        }
        let audience = raw["audience_url"] == nil ? "'\(Self.quoted(endpoint))' + vars.token_path" : "vars.audience_url"
        var members = claims.sorted { $0.key < $1.key }.map { "'\(Self.quoted($0.key))': dyn(\($0.value))" }
        members += [
            "'aud': dyn(\(audience))", "'jti': dyn(random.uuid())", "'iat': dyn(int(now))",
            "'exp': dyn(int(now) + 120)",
        ]
        let kid = raw["key_id"] == nil ? "" : ", 'kid': string(vars.key_id)"
        let header = "{'alg': '\(algorithm.rawValue)', 'typ': 'JWT'\(kid)}"
        add(
            "\(name)_input",
            expression: "base64url.encode(json.encode(\(header))) + '.'"
                + " + base64url.encode(json.encode({\(members.joined(separator: ", "))}))")
        add(
            "\(name)_assertion",
            expression: "vars.\(name)_input + '.'"
                + " + base64url.encode(\(algorithm.function)(vars.\(key), vars.\(name)_input))")
        return "${vars.\(name)_assertion}"
    }

    private mutating func add(_ key: String) {
        if let cursor = raw[key] { add(key, cursor) }
    }

    private mutating func add(_ name: String, _ cursor: Cursor) {
        guard !names.contains(name),
            let value = builder.compiler.template(cursor, in: builder.scopes.request(captures: captures, isOwn: true))
        else { return }
        all.append(LoginStep.Variable(name: name, source: .template(value)))
    }

    private mutating func add(_ name: String, expression source: String) {
        let scope = builder.scopes.request(captures: captures, variables: names, isOwn: true)
        do throws(ExpressionIssues) {
            all.append(
                LoginStep.Variable(name: name, source: .expression(try Expression(parsing: source, in: scope))))
        } catch {
            // A key that it needs is missing or wrong, which is an issue of its own.
            return
        }
    }

    private static func quoted(_ text: String) -> String {
        text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
            .split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'")
    }
}

extension RawOAuth2.Algorithm {
    /// The signing function (RFC 7518 3.1).
    fileprivate var function: String {
        switch self {
        case .HS256: "hmac.sha256"
        case .HS384: "hmac.sha384"
        case .HS512: "hmac.sha512"
        case .RS256: "rsa.sha256"
        case .RS384: "rsa.sha384"
        case .RS512: "rsa.sha512"
        case .PS256: "rsa.pssSha256"
        case .PS384: "rsa.pssSha384"
        case .PS512: "rsa.pssSha512"
        case .ES256: "ecdsa.sha256"
        case .ES384: "ecdsa.sha384"
        case .EdDSA: "ed25519.sign"
        }
    }
}
