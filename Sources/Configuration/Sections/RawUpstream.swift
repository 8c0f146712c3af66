import Domain

/// One upstream as read. What needs no resolving goes straight into the plan's own types.
struct RawUpstream {
    var url: Placed<URLSyntax>?
    /// Expanded before the sections are read; here for the table.
    var profile: RawProfileUse?
    var socket: String?
    var address: Placed<Authority>?
    var version = UpstreamPlan.HTTPVersion.http1
    var timeouts = UpstreamPlan.Timeouts()
    var tls = Placed<UpstreamPlan.TLS>?.none
    var proxy: Placed<RawProxy>?
    var probe: RawProbe?
    var breaker = ReachabilityPlan()
    var learnsClock = false
    var attach = RawAttach()
    var limits = UpstreamPlan(name: "", scheme: .http, host: "", port: 0)

    static var section: Section<RawUpstream> {
        Section(RawUpstream()) { initial in connectionFields(initial) + behaviourFields(initial) }
    }

    private static func connectionFields(_ initial: RawUpstream) -> [Field<RawUpstream>] {
        [
            .key(
                "url", ValueReader.url(["https", "http"]).placed, into: \.url, isRequired: true,
                "`http` or `https`, host, and optionally a port and a base path that goes before every path."),
            .key(
                "profile", RawProfileUse.reader, into: \.profile, note: "none",
                "A ready-made dialect: fills in this upstream, and a session, signatures, envelopes and routes named after it. What the config says itself comes first."
            ),
            .key(
                "socket", .socketPath, into: \.socket, note: "none",
                "Connects through this unix socket; the URL's host is still sent as `Host`."),
            .key(
                "address", ValueReader.connectAddress.placed, into: \.address, note: "the URL's",
                "Connects there, `HOST` or `HOST:PORT`; the URL still names the server for `Host`, SNI and the check of its certificate."
            ),
            .key("http", version, into: \.version, default: initial, "HTTP version spoken to the upstream."),
            .key("timeouts", UpstreamSections.timeouts.reader, into: \.timeouts, default: initial, "How long to wait."),
            .key("tls", UpstreamSections.tls.reader.placed, into: \.tls, "TLS to an `https` upstream."),
            .key(
                "proxy", RawProxy.reader.placed, into: \.proxy, note: "none",
                "An outgoing proxy; the URL alone is enough. Proxy variables of the environment are never used."),
        ]
    }

    private static func behaviourFields(_ initial: RawUpstream) -> [Field<RawUpstream>] {
        [
            .key(
                "probe", RawProbe.section.reader.orOff(RawProbe()), into: \.probe, note: "none",
                "An active check; any HTTP answer proves that the upstream can be reached. `off` also drops the one of a profile."
            ),
            .key(
                "breaker", UpstreamSections.breaker.reader.orOff(ReachabilityPlan(opens: false)), into: \.breaker,
                default: initial,
                "When the upstream counts as away. `off`: never; every request tries for itself, waits as long as `timeouts` say, and `/readyz` knows of no upstream that is away."
            ),
            .key("clock", clock.reader, into: \.learnsClock, default: initial, "Whose clock signatures use."),
            .key(
                "attach", RawAttach.section.reader, into: \.attach, default: initial,
                "Fields that every request to this upstream carries, logins too."),
            .key(
                "limits", UpstreamSections.limits.reader, into: \.limits, default: initial, "Limits of this upstream."),
        ]
    }

    private static let versions: [(word: String, value: UpstreamPlan.HTTPVersion)] = [("1", .http1), ("2", .http2)]

    private static var version: ValueReader<UpstreamPlan.HTTPVersion> {
        .choice(versions) { value in versions.first { $0.value == value }?.word }
    }

    private static var clock: Section<Bool> {
        let words: [(word: String, value: Bool)] = [("none", false), ("date", true)]
        return Section(false) { initial in
            [
                .key(
                    "learn_from", .choice(words) { $0 ? "date" : "none" }, into: \.self, default: initial,
                    "`date`: signature time follows the `Date` of the upstream's answers.")
            ]
        }
    }
}
