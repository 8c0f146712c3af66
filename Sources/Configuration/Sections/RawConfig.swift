import Domain

/// A config file as read: every key that is there, nothing resolved. `PlanBuilder` turns it into a plan.
struct RawConfig {
    var listen: [Placed<ListenerPlan>]?
    var admin: Placed<ListenerPlan>?
    var allowRemote = false
    var hosts: [String] = []
    var origins: [String] = []
    var limits = GatewayLimits()
    var log = LogPlan()
    var texts: [Named<[Named<String>]>] = []
    var secrets: [Named<RawSecret>] = []
    var upstreams: [Named<RawUpstream>] = []
    var sessions: [Named<RawSession>] = []
    var signatures: [Named<RawSignature>] = []
    var envelopes: [Named<RawEnvelope>] = []
    var routes: [Placed<RawRoute>]?

    static var section: Section<RawConfig> {
        Section(RawConfig()) { initial in addressFields(initial) + generalFields(initial) + namedFields(initial) }
    }

    private static func addressFields(_ initial: RawConfig) -> [Field<RawConfig>] {
        [
            .key(
                "listen", ValueReader.address.placed.nonEmptyList, into: \.listen, isRequired: true,
                "Where clients connect: addresses with a port (`localhost` is 127.0.0.1 and [::1]), or `unix:` and a path. Port 0 takes any free port."
            ),
            .key(
                "admin", ValueReader.address.placed, into: \.admin, note: "none",
                "Where health, metrics and session actions are served."),
            .key(
                "allow_remote", .flag, into: \.allowRemote, default: initial,
                "Allows addresses that other hosts can reach. Whoever reaches them uses your sessions."),
            .key(
                "hosts", ValueReader.hostRule.list, into: \.hosts, default: initial,
                "Names that `Host` may carry beside localhost and the bound addresses; without a port, any port."),
            .key(
                "origins", ValueReader.origin.list, into: \.origins, default: initial,
                "Browser origins that may call, like `https://app.example`."),
        ]
    }

    private static func generalFields(_ initial: RawConfig) -> [Field<RawConfig>] {
        [
            .key("limits", GatewaySections.limits.reader, into: \.limits, default: initial, "Limits of the gateway."),
            .key("log", GatewaySections.log.reader, into: \.log, default: initial, "What is logged, and where."),
            .key(
                "texts", ValueReader.text("text").named("KIND").named("LANGUAGE"), into: \.texts,
                default: initial, "Texts that replace the built-in ones, by language and kind of error."),
            .key(
                "secrets", RawSecret.section.secretReader.named("NAME", rule: .identifier), into: \.secrets,
                default: initial, "Secrets by reference, never by value; expressions read them as `secret.NAME`."),
        ]
    }

    private static func namedFields(_ initial: RawConfig) -> [Field<RawConfig>] {
        [
            .key(
                "upstreams", RawUpstream.section.reader.named("NAME"), into: \.upstreams, default: initial,
                "The servers that requests are forwarded to."),
            .key(
                "sessions", RawSession.section.reader.named("NAME"), into: \.sessions, default: initial,
                "Logged-in identities: how they are gained, attached and seen to end."),
            .key(
                "signatures", RawSignature.section.reader.named("NAME"), into: \.signatures, default: initial,
                "Signature recipes."),
            .key(
                "envelopes", RawEnvelope.section.reader.named("NAME"), into: \.envelopes, default: initial,
                "How upstreams wrap their answers."),
            .key(
                "routes", RawRoute.section.reader.placed.nonEmptyList, into: \.routes,
                note: "needed, unless a profile brings some",
                "What is forwarded where; the first match wins. Those of profiles follow."),
        ]
    }
}
