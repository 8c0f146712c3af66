import Domain

/// One session as read.
struct RawSession {
    var upstream: Placed<String>?
    var login: [Placed<RawLoginStep>] = []
    var refresh: [Placed<RawLoginStep>] = []
    var refreshExpired = true
    var seed: [Named<Cursor>] = []
    var logout: [Placed<RawLoginStep>] = []
    var updates: [Named<Cursor>] = []
    var oauth2: Placed<RawOAuth2>?
    var token: Placed<RawToken>?
    var human: String?
    var cookies = false
    var store: Placed<RawStore>?
    var digest: Placed<RawDigestAuth>?
    var dpop: Placed<RawDPoP>?
    var expired: Cursor?
    var taken: Cursor?
    var takeover = RawTakeover()
    var keepalive: Placed<RawKeepalive>?
    var envelope: Placed<String>?
    var attach = RawAttach()
    var limits = SessionLimits()

    static var section: Section<RawSession> {
        Section(RawSession()) { initial in
            [
                .key(
                    "upstream", ValueReader.text("name of an upstream").placed, into: \.upstream, isRequired: true,
                    "Where the session lives."),
                .key(
                    "login", RawLoginStep.section.reader.placed.list, into: \.login, default: initial,
                    "Requests that log in, in order. Without any the session is always ready: `attach` adds fixed fields."
                ),
                .key(
                    "refresh", RawLoginStep.section.reader.placed.list, into: \.refresh, default: initial,
                    "Requests that renew the session, tried instead of `login` while the captures they use are there. When they are refused, `login` follows."
                ),
                .key(
                    "refresh_expired", .flag, into: \.refreshExpired, default: initial,
                    "Whether `refresh` is tried with a credential that has ended or was refused. `false`: only ahead of its end, for servers that take such a refresh for a wrong password; later `login` follows at once."
                ),
                .key(
                    "seed", ValueReader.expression.named("NAME", rule: .identifier), into: \.seed, default: initial,
                    "Captures that are there before anything was captured, like `refresh: ${secret.token}`: the session begins with `refresh`, and needs no `login`."
                ),
                .key(
                    "logout", RawLoginStep.section.reader.placed.list, into: \.logout, default: initial,
                    "Requests that end the session at the upstream, sent when the gateway stops, a reload drops the session or a login ahead of its end has replaced it; at most 5 s."
                ),
                .key(
                    "update", ValueReader.expression.named("NAME", rule: .identifier), into: \.updates,
                    default: initial,
                    "Values that come with ordinary answers and take the place of captures: tokens that change with each answer, or are renewed on use. Header fields that hold them are kept from clients."
                ),
                .key(
                    "oauth2", RawOAuth2.section.reader.placed, into: \.oauth2,
                    "OAuth 2.0: stands for `login`, `refresh` and, when there is no `attach`, a bearer token."),
                .key(
                    "token", RawToken.section.reader.placed, into: \.token,
                    "A credential that somebody else gains and hands over."),
                .key(
                    "human", .text("text"), into: \.human,
                    "What a person has to do before a login; what they answer is `session.human`. Until then requests get `login_required`."
                ),
                .key(
                    "cookies", .flag, into: \.cookies, default: initial,
                    "Keeps a cookie jar (RFC 6265): what the upstream sets goes with each request, and clients never see it. Expressions see it as `cookies`."
                ),
                .key(
                    "taken", .expression, into: \.taken, note: "false",
                    "Over an answer: a login elsewhere has ended the session."),
                .key(
                    "on_taken", RawTakeover.choiceReader, into: \.takeover.choice, default: initial,
                    "`takeover` logs in again, as often as `takeover_limit` lets it; `yield` answers `session_taken` until an operator asks for a login."
                ),
                .key(
                    "takeover_limit", RawTakeover.boundSection.reader, into: \.takeover.bound, default: initial,
                    "Bounds `takeover`; above: `session_taken` until the window has passed."),
                .key(
                    "expired", .expression, into: \.expired, note: "status == 401",
                    "Over an answer: the session has ended; log in and replay."),
                .key(
                    "envelope", ValueReader.text("name of an envelope").placed, into: \.envelope, note: "none",
                    "Envelope whose `verify`, `unwrap` and `open` come before all that the session reads of answers: of its login, refresh, keepalive and logout, and for `expired`, `taken`, `update` and the tests of signatures on its routes."
                ),
                .key(
                    "attach", RawAttach.section.reader, into: \.attach, default: initial, "What each request carries."),
            ] + proofFields() + limitFields(initial)
        }
    }

    private static func proofFields() -> [Field<RawSession>] {
        [
            .key(
                "store", RawStore.section.reader.placed, into: \.store, note: "none: in memory only",
                "Keeps the session across restarts: what the login brought, sealed with AES-256-GCM."),
            .key(
                "digest_auth", RawDigestAuth.section.reader.placed, into: \.digest, note: "none",
                "HTTP Digest (RFC 7616): the upstream's challenges are answered and the request is sent again. A refused password stops the session until an operator asks for a login. An answer whose `rspauth` is wrong comes from somebody who does not know the password: it is passed, logged and counted."
            ),
            .key(
                "dpop", RawDPoP.section.reader.placed, into: \.dpop, note: "none",
                "DPoP (RFC 9449): a proof of possession goes with each request and with each step of the login."),
        ]
    }

    private static func limitFields(_ initial: RawSession) -> [Field<RawSession>] {
        let defaults = initial.limits
        return [
            .key(
                "keepalive", RawKeepalive.section.reader.placed, into: \.keepalive, note: "none",
                "A request that keeps an idle session alive, sent while clients have used it not too long ago."),
            .key(
                "refresh_ahead", .duration, into: \.limits.refreshAhead, default: initial,
                "Logs in this long before a known expiry, at most 20 % of the lifetime."),
            .key(
                "wait", wait(defaults).reader, into: \.limits.waitGroup, default: initial,
                "Requests that wait for a login, or for their turn (`in_flight`); 503 `session_pending` above and after."
            ),
            .key(
                "in_flight", .integer(0...100_000), into: \.limits.inFlight, default: initial,
                "Most requests that are out with the credential at once, 0 without limit; more wait as `wait` says. 1 for tokens that serve once."
            ),
            .key(
                "login_time", .positiveDuration, into: \.limits.loginTime, default: initial,
                "Longest time that the requests of one login may take, all together; then it has failed. The time in which a person acts does not count, nor does that of a token's command."
            ),
            .key(
                "backoff", backoff(defaults).reader, into: \.limits.backoffGroup, default: initial,
                "Pause after a failed login, doubled each time."),
            .key(
                "attempts_window", window(defaults).reader, into: \.limits.windowGroup, default: initial,
                "Most logins per time; above: 503 `login_unavailable`."),
        ]
    }

    private static func wait(_ defaults: SessionLimits) -> Section<CountAndTime> {
        Section(defaults.waitGroup) { initial in
            [
                .key("requests", .integer(0...100_000), into: \.count, default: initial, "Most requests that wait."),
                .key("time", .positiveDuration, into: \.time, default: initial, "Longest wait of one request."),
            ]
        }
    }

    private static func backoff(_ defaults: SessionLimits) -> Section<TimeRange> {
        Section(defaults.backoffGroup) { initial in
            [
                .key("min", .positiveDuration, into: \.low, default: initial, "First pause."),
                .key("max", .positiveDuration, into: \.high, default: initial, "Longest pause."),
            ]
        }
    }

    private static func window(_ defaults: SessionLimits) -> Section<CountAndTime> {
        Section(defaults.windowGroup) { initial in
            [
                .key("logins", .integer(1...1000), into: \.count, default: initial, "Most logins in the window."),
                .key("per", .positiveDuration, into: \.time, default: initial, "Length of the window."),
            ]
        }
    }
}

/// `wait`, `attempts_window`: a section of its own in the file, two values in the plan.
struct CountAndTime {
    var count: Int
    var time: UInt64
}

/// `backoff`.
struct TimeRange {
    var low: UInt64
    var high: UInt64
}

extension SessionLimits {
    fileprivate var waitGroup: CountAndTime {
        get { CountAndTime(count: waiting, time: waitTime) }
        set { (waiting, waitTime) = (newValue.count, newValue.time) }
    }
    fileprivate var windowGroup: CountAndTime {
        get { CountAndTime(count: windowLogins, time: windowTime) }
        set { (windowLogins, windowTime) = (newValue.count, newValue.time) }
    }
    fileprivate var backoffGroup: TimeRange {
        get { TimeRange(low: backoffMin, high: backoffMax) }
        set { (backoffMin, backoffMax) = (newValue.low, newValue.high) }
    }
}
