import Domain
import HTTPWire

/// One route as read.
struct RawRoute {
    var path: Placed<String>?
    var methods: [RequestMethod] = []
    var hosts: [String] = []
    var upstream: Placed<String>?
    var rewrite: Cursor?
    var session: Placed<String>?
    var login = RoutePlan.LoginRule.required
    var loginPlace: Cursor?
    var relogin = true
    var signatures: [Placed<String>] = []
    var attach = RawAttach()
    var shape: Placed<RawShape>?
    var envelope: Placed<RawEnvelopeRule>?
    var limits = RouteLimits()
    var keepsUnderscores = false
    var rewritesLocation = true

    /// Names of segments in the path; none when the pattern is broken, which is reported where it is read.
    var parameters: [String] {
        guard let path = path?.value, let pattern = try? PathPattern(parsing: path) else { return [] }
        return pattern.parameters.map { String(decoding: $0.name, as: UTF8.self) }
    }

    static var section: Section<RawRoute> {
        Section(RawRoute()) { initial in matchFields(initial) + editFields(initial) }
    }

    private static func matchFields(_ initial: RawRoute) -> [Field<RawRoute>] {
        [
            .key(
                "path", ValueReader.text("a pattern").placed, into: \.path, isRequired: true,
                "Pattern: `*` or `{name}` (then `request.params.name`) is one segment, `**` (last only) the rest."),
            .key(
                "methods", ValueReader.method.list, into: \.methods, default: initial,
                "Methods that match; none means the common ones. Others, such as `PROPFIND` or `PURGE`, are taken only where they stand here."
            ),
            .key(
                "hosts", ValueReader.hostRule.list, into: \.hosts, default: initial,
                "`Host` names that match; none means all."),
            .key(
                "upstream", ValueReader.text("name of an upstream").placed, into: \.upstream, isRequired: true,
                "Where the request goes."),
            .key("underscores", .flag, into: \.keepsUnderscores, default: initial, "Lets header names with `_` pass."),
        ]
    }

    private static func editFields(_ initial: RawRoute) -> [Field<RawRoute>] {
        [
            .key(
                "rewrite", .template, into: \.rewrite, note: "the request's own path",
                "New path, may hold a query; the client's own query follows."),
            .key(
                "session", ValueReader.text("name of a session").placed, into: \.session, note: "none",
                "Session that the request goes out with."),
            .key("login", login, into: \.loginRule, note: "required", "What happens without a session."),
            .key(
                "relogin", .flag, into: \.relogin, default: initial,
                "`false`: an answer that tells of expiry is passed to the client as it is."),
            .key(
                "sign", ValueReader.text("name of a signature").placed.list, into: \.signatures, default: initial,
                "Signature recipes, in order, as the last edit: a later one sees what an earlier one attached."),
            .key(
                "request", RawShape.section.reader.placed, into: \.shape, note: "none",
                "The shape that the request goes upstream in; without it the body passes unchanged."),
            .key("attach", RawAttach.section.reader, into: \.attach, default: initial, "Common fields of this route."),
            .key(
                "envelope", RawEnvelopeRule.section.reader.placed, into: \.envelope, note: "none",
                "How answers are normalized; without it they pass unchanged."),
            .key(
                "rewrite_location", .flag, into: \.rewritesLocation, default: initial,
                "`false`: addresses of the upstream's own origin in `Location`, `Content-Location` and `Link` pass as they are."
            ),
            .key("limits", limits.reader, into: \.limits, default: initial, "Limits of this route."),
        ]
    }

    private static let rules: [(word: String, value: RoutePlan.LoginRule)] = [
        ("required", .required), ("optional", .optional), ("never", .never),
    ]

    private static var login: ValueReader<Placed<RoutePlan.LoginRule>> {
        ValueReader.choice(rules) { value in rules.first { $0.value == value }?.word }.placed
    }

    private var loginRule: Placed<RoutePlan.LoginRule>? {
        get { loginPlace.map { Placed(value: login, cursor: $0) } }
        set {
            guard let newValue else { return }
            (login, loginPlace) = (newValue.value, newValue.cursor)
        }
    }

    private static var limits: Section<RouteLimits> {
        let most = 1 << 30
        return Section(RouteLimits()) { initial in
            [
                .key("body", .size, into: \.body, default: initial, "Largest request body; above: 413."),
                .key(
                    "replay", .size(0...most), into: \.replay, default: initial,
                    "Largest request body that is kept so that the request can be made again; one that a recipe reads is kept anyway."
                ),
                .key(
                    "inspect", .size(0...most), into: \.inspect, default: initial,
                    "Largest answer that is looked into; above: `bad_answer` where an envelope is normalized."),
            ]
        }
    }
}
