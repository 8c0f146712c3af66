import Domain
import Expressions

/// Writes the steps that an `oauth2` section stands for, as a user would: RFC 6749, and the RFCs named at each part.
struct OAuth2Steps {
    private let raw: RawOAuth2
    private let cursor: Cursor
    private let captures: [String]
    private let builder: PlanBuilder
    private let scope: Scope
    private let answer: Scope
    /// `nil` after an issue.
    private let upstream: Int?
    /// The session has `dpop`.
    private let provesPossession: Bool

    static func captureNames(_ raw: RawOAuth2) -> [String] {
        let token = ["access_token", "refresh_token", "token_type", "expires_in"]
        guard raw.grant == .deviceCode else { return token }
        return token + ["device_code", "user_code", "verification_uri", "interval", "code_expires_in"]
    }

    init(
        _ placed: Placed<RawOAuth2>, captures: [String], upstream: Int, provesPossession: Bool, builder: PlanBuilder
    ) {
        self.provesPossession = provesPossession
        raw = placed.value
        cursor = placed.cursor
        self.captures = captures
        self.builder = builder
        scope = builder.scopes.request(captures: captures, isOwn: true)
        answer = builder.scopes.response(captures: captures, isOwn: true)
        if let reference = placed.value.upstream {
            self.upstream = builder.resolve(reference, among: builder.raw.upstreams, what: "upstream")
        } else {
            self.upstream = upstream
        }
    }

    func login() -> [LoginStep] {
        check()
        guard let grant = raw.grant, let upstream else { return [] }
        var fields: [NamedTemplate] = []
        var variables = OAuth2Variables(raw, captures: captures, builder: builder, upstream: upstream)
        switch grant {
        case .clientCredentials: fields = field("grant_type", "client_credentials")
        case .password: fields = field("grant_type", "password") + given(["username", "password"])
        case .refreshToken: fields = field("grant_type", "refresh_token") + given(["refresh_token"])
        case .tokenExchange:
            fields = field("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange") + exchange()
        case .jwtBearer:
            fields = field("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer")
            fields +=
                raw["assertion"] == nil
                ? field("assertion", variables.grantAssertion(), variables) : given(["assertion"])
        case .deviceCode:
            fields =
                field("grant_type", "urn:ietf:params:oauth:grant-type:device_code")
                + field("device_code", "${session.device_code}")
        }
        // RFC 8628 3.1 has the scope in the first request only.
        fields += given(grant == .deviceCode ? [] : ["scope", "audience", "resource"])
        guard var step = tokenStep(fields, variables) else { return [] }
        if grant == .deviceCode {
            step.poll = poll()
            step.human = try? Template(
                parsing: "open ${session.verification_uri} and enter the code ${session.user_code}", in: answer)
            return [deviceStep(), step].compactMap(\.self)
        }
        return [step]
    }

    /// RFC 6749 6.
    func refresh() -> [LoginStep] {
        guard raw.refreshes, let upstream else { return [] }
        let variables = OAuth2Variables(raw, captures: captures, builder: builder, upstream: upstream)
        let fields = field("grant_type", "refresh_token") + field("refresh_token", "${session.refresh_token}")
        // `extra` is written for the grant of the login.
        return tokenStep(fields, variables, keeping: ["grant_type", "refresh_token"]).map { [$0] } ?? []
    }

    /// RFC 8693 2.1.
    private func exchange() -> [NamedTemplate] {
        let access = "urn:ietf:params:oauth:token-type:access_token"
        var fields = given(["subject_token", "requested_token_type"])
        fields +=
            raw["subject_token_type"] == nil
            ? field("subject_token_type", access) : given(["subject_token_type"])
        guard raw["actor_token"] != nil else { return fields }
        fields += given(["actor_token"])
        return fields
            + (raw["actor_token_type"] == nil ? field("actor_token_type", access) : given(["actor_token_type"]))
    }

    /// RFC 8628 3.1 and 3.2.
    private func deviceStep() -> LoginStep? {
        guard let cursor = raw.devicePath, let path = builder.compiler.line(cursor, in: scope) else { return nil }
        var step = LoginStep(method: Array("POST".utf8), path: path)
        step.upstream = upstream
        step.headers = field("Accept", "application/json")
        step.body = .form(given(["client_id", "scope", "audience", "resource"]))
        step.success = expression("status == 200 && has(json.device_code) && has(json.user_code)")
        step.refused = refused(unless: [])
        let values = [
            ("device_code", "json.device_code"), ("user_code", "json.user_code"),
            ("verification_uri", "json.?verification_uri.or(json.?verification_url)"),
            ("interval", "json.?interval"), ("code_expires_in", "json.?expires_in"),
        ]
        step.captures = values.compactMap { capture($0.0, $0.1) }
        return step
    }

    /// RFC 8628 3.5.
    private func poll() -> LoginStep.Poll? {
        guard let pending = expression("json.error == 'authorization_pending'") else { return nil }
        var poll = LoginStep.Poll(pending: pending)
        poll.slower = expression("json.error == 'slow_down'")
        poll.every = expression("session.interval")
        poll.longest = expression("session.code_expires_in")
        return poll
    }

    /// RFC 6749 5.2. What may pass by itself is no refusal; a 401 always is, whatever error it names: a wrong password that is
    /// sent again and again locks the account.
    private func refused(unless passing: [String]) -> Expression? {
        if let cursor = raw.refused { return builder.compiler.expression(cursor, in: answer, wantsBool: true) }
        let list = passing.map { "'\($0)'" }.joined(separator: ", ")
        return expression(
            "status == 401 || status in [400, 403] && has(json.error)"
                + (passing.isEmpty ? "" : " && !(json.error in [\(list)])"))
    }

    /// RFC 6749 3.2: no parameter comes twice. What `extra` says counts, but for the fields that make the request what it is.
    private static func merged(
        _ own: [NamedTemplate], with extra: [NamedTemplate], keeping fixed: Set<String>
    ) -> [NamedTemplate] {
        let given = extra.filter { !fixed.contains(String(decoding: $0.name, as: UTF8.self)) }
        return own.filter { field in !given.contains { $0.name == field.name } } + given
    }

    /// - Parameter fixed: fields that `extra` does not change.
    private func tokenStep(
        _ fields: [NamedTemplate], _ variables: OAuth2Variables, keeping fixed: Set<String> = []
    ) -> LoginStep? {
        guard let cursor = raw.tokenPath, let path = builder.compiler.line(cursor, in: scope) else { return nil }
        var variables = variables
        var step = LoginStep(method: Array("POST".utf8), path: path)
        step.upstream = upstream
        let (headers, proof) = authentication(&variables)
        step.headers = field("Accept", "application/json") + headers
        step.body = .form(Self.merged(fields + proof, with: builder.fields(raw.extra, in: scope), keeping: fixed))
        step.variables = variables.all
        step.success = expression("status == 200 && has(json.access_token)")
        step.refused = refused(unless: ["temporarily_unavailable", "server_error", "slow_down"])
        step.faults = unusableType()
        let values = [
            ("access_token", "json.access_token"), ("refresh_token", "json.?refresh_token"),
            ("token_type", "json.?token_type"), ("expires_in", "json.?expires_in"),
        ]
        step.captures = values.compactMap { capture($0.0, $0.1) }
        return step
    }

    /// RFC 6749 7.1: a client must not use a token of a type that it does not know. RFC 9449 5 has `DPoP`; RFC 8693 2.2.1
    /// says `N_A` of what is no access token. Servers that leave the type out mean `Bearer`.
    private func unusableType() -> [LoginStep.Fault] {
        var known = ["bearer"]
        if provesPossession { known.append("dpop") }
        if raw.grant == .tokenExchange { known.append("n_a") }
        let list = known.map { "'\($0)'" }.joined(separator: ", ")
        let test = expression(
            "has(json.token_type) && json.token_type != null"
                + " && !(string(json.token_type).lowerAscii() in [\(list)])")
        let words = known.joined(separator: ", ")
        return test.map { [LoginStep.Fault(test: $0, reason: "the token_type is none that can be used (\(words))")] }
            ?? []
    }

    /// How the client proves who it is (RFC 6749 2.3, RFC 7523 2.2, RFC 8705 2).
    private func authentication(
        _ variables: inout OAuth2Variables
    ) -> (headers: [NamedTemplate], fields: [NamedTemplate]) {
        switch raw.clientAuth {
        case .basic where raw["client_secret"] != nil:
            let source = variables.basic()
            return (field("Authorization", source, variables), [])
        case .basic, .none, .tls: return ([], given(["client_id"]))
        case .post: return ([], given(["client_id", "client_secret"]))
        case .secretJWT, .privateKeyJWT:
            let source = variables.clientAssertion()
            let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
            let proof = field("client_assertion_type", type) + field("client_assertion", source, variables)
            return ([], given(["client_id"]) + proof)
        }
    }

    /// Keys that take a credential and nothing else.
    private static let secretKeys: Set<String> = [
        "client_secret", "password", "private_key", "refresh_token", "subject_token", "actor_token", "assertion",
    ]

    private func check() {
        builder.checkPath(raw.tokenPath)
        builder.checkPath(raw.devicePath)
        for (key, value) in raw.values.sorted(by: { $0.key < $1.key }) {
            guard let template = try? Template(parsing: value.text ?? "", in: scope) else { continue }
            if Self.secretKeys.contains(key) { LiteralCredential.check(value, template) }
        }
        func need(_ key: String, _ why: String) {
            if raw[key] == nil { cursor.report("\(key) is missing", hint: why) }
        }
        if raw.grant == .password { need("username", "the password grant needs it") }
        if raw.grant == .password { need("password", "the password grant needs it") }
        if raw.grant == .refreshToken { need("refresh_token", "the refresh_token grant needs it") }
        if raw.grant == .tokenExchange { need("subject_token", "the token_exchange grant needs it") }
        if raw.grant == .deviceCode {
            need("client_id", "the device_code grant needs it")
            if raw.devicePath == nil { cursor.report("device_path is missing", hint: "the device_code grant needs it") }
        }
        if raw.clientAuth == .secretJWT { need("client_secret", "it signs the assertions") }
        if raw.clientAuth == .privateKeyJWT { need("private_key", "it signs the assertions") }
        if raw.clientAuth == .post { need("client_secret", "client_auth is post") }
        let signs = raw.grant == .jwtBearer && raw["assertion"] == nil
        if signs, raw["private_key"] == nil, raw["client_secret"] == nil {
            need("assertion", "or private_key, to make one")
        }
    }

    /// Fields of the keys that the section has.
    private func given(_ keys: [String]) -> [NamedTemplate] {
        keys.compactMap { key in
            guard let cursor = raw[key], let value = builder.compiler.template(cursor, in: scope) else { return nil }
            return NamedTemplate(name: Array(key.utf8), value: value)
        }
    }

    /// One field; none when a value that it needs could not be read, which is an issue of its own.
    private func field(_ name: String, _ source: String, _ variables: OAuth2Variables? = nil) -> [NamedTemplate] {
        let scope = builder.scopes.request(captures: captures, variables: variables?.names ?? [], isOwn: true)
        guard let value = try? Template(parsing: source, in: scope) else { return [] }
        return [NamedTemplate(name: Array(name.utf8), value: value)]
    }

    private func expression(_ source: String) -> Expression? { try? Expression(parsing: source, in: answer) }

    private func capture(_ name: String, _ source: String) -> LoginStep.Capture? {
        guard let slot = captures.firstIndex(of: name), let value = expression(source) else { return nil }
        return LoginStep.Capture(slot: slot, value: value)
    }
}
