/// `oauth2` of a session as read: it stands for login and refresh steps.
struct RawOAuth2 {
    enum Grant: String, CaseIterable {
        case clientCredentials = "client_credentials"
        case password
        case refreshToken = "refresh_token"
        case tokenExchange = "token_exchange"
        case jwtBearer = "jwt_bearer"
        case deviceCode = "device_code"
    }
    enum ClientAuth: String, CaseIterable {
        case basic, post, tls, none
        case secretJWT = "client_secret_jwt"
        case privateKeyJWT = "private_key_jwt"
    }
    enum Algorithm: String, CaseIterable {
        case HS256, HS384, HS512, RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, EdDSA
    }

    var grant: Grant?
    var upstream: Placed<String>?
    var tokenPath: Cursor?
    var devicePath: Cursor?
    var clientAuth = ClientAuth.basic
    var algorithm: Algorithm?
    /// Templates by key: `client_id`, `client_secret`, ...
    var values: [String: Cursor] = [:]
    var claims: [Named<Cursor>] = []
    var extra: [Named<Cursor>] = []
    var refreshes = true
    var refused: Cursor?

    subscript(key: String) -> Cursor? {
        get { values[key] }
        set { values[key] = newValue }
    }

    private static let texts: [(name: String, doc: String)] = [
        ("client_id", "Client identifier."),
        ("client_secret", "Client secret; mostly `${secret.NAME}`."),
        ("private_key", "Key that signs assertions: PEM, DER or JWK, mostly `${secret.NAME}`."),
        ("key_id", "`kid` of the assertions that are signed."),
        ("audience_url", "`aud` of the assertions that are signed; the token endpoint's URL without it."),
        ("scope", "Scopes, separated by blanks."),
        ("audience", "`audience` parameter."),
        ("resource", "`resource` parameter (RFC 8707)."),
        ("username", "User of the password grant."),
        ("password", "Password of the password grant."),
        ("refresh_token", "First refresh token of the refresh_token grant."),
        ("subject_token", "Token to exchange (RFC 8693)."),
        ("subject_token_type", "Its type; an access token without it."),
        ("actor_token", "Token of the party that acts (RFC 8693)."),
        ("actor_token_type", "Its type; an access token without it."),
        ("requested_token_type", "Type of the token that is wanted."),
        ("assertion", "Assertion of the jwt_bearer grant (RFC 7523) when somebody else makes it."),
        ("issuer", "`iss` of the assertion of the jwt_bearer grant; the client identifier without it."),
        ("subject", "`sub` of the assertion of the jwt_bearer grant; the issuer without it."),
    ]

    static var section: Section<RawOAuth2> {
        Section(RawOAuth2()) { initial in
            endpoints(initial) + texts.map { .key($0.name, .template, into: \.[$0.name], $0.doc) } + [
                .key(
                    "claims", ValueReader.template.named("NAME", rule: .any), into: \.claims, default: initial,
                    "Further claims of the assertion of the jwt_bearer grant."),
                .key(
                    "extra", ValueReader.template.named("NAME", rule: .any), into: \.extra, default: initial,
                    "Further fields of the token request, or others in the place of its own (`grant_type`). In a refresh `grant_type` and `refresh_token` stay its own."
                ),
                .key(
                    "refused", .expression, into: \.refused,
                    note: "a 401, or a 400 or 403 with an `error` that will not pass by itself",
                    "Over the answer: the credentials are wrong; no further try until the operator acts."),
                .key(
                    "refresh", .flag, into: \.refreshes, default: initial,
                    "Use the refresh token that the server hands out."),
            ]
        }
    }

    private static func endpoints(_ initial: RawOAuth2) -> [Field<RawOAuth2>] {
        [
            .key(
                "grant", .choice(Grant.allCases.map { ($0.rawValue, $0) }) { $0.rawValue }, into: \.grant,
                isRequired: true, "How a token is gained."),
            .key(
                "upstream", ValueReader.text("name of an upstream").placed, into: \.upstream, note: "the session's",
                "Where the authorization server lives."),
            .key("token_path", .template, into: \.tokenPath, isRequired: true, "Path of the token endpoint."),
            .key("device_path", .template, into: \.devicePath, "Path of the device authorization endpoint (RFC 8628)."),
            .key(
                "client_auth", .choice(ClientAuth.allCases.map { ($0.rawValue, $0) }) { $0.rawValue },
                into: \.clientAuth, default: initial,
                "How the client proves who it is; `tls`: by the upstream's client certificate (RFC 8705)."),
            .key(
                "algorithm", .choice(Algorithm.allCases.map { ($0.rawValue, $0) }) { $0.rawValue }, into: \.algorithm,
                note: "HS256 with a secret, RS256 with a key", "Signature of the assertions."),
        ]
    }
}
