import Bytes
import Domain
import Expressions
import HTTPWire
import Observability

/// Limits that refuse; each has its own series in `countersign_limit_refusals_total`.
enum LimitName: String, CaseIterable {
    case connections, requestsPerConnection = "requests_per_connection"
    case inFlight = "in_flight"
    case descriptors, held
    case formFields = "form_fields"
    case bodyValues = "body_values"
    case steps
    case body, replay, inspect
    case headTime = "head_time"
    case bodyIdle = "body_idle"
    case bodyRate = "body_rate"
    case writeStall = "write_stall"
    case sessionWait = "session_wait"
    case upstreamQueue = "upstream_queue"
}

/// Every number that the gateway counts. Families are made once; label sets are registered when a plan is activated, so
/// that counting on the hot path is an array add.
final class GatewayMetrics {
    let registry = Metrics()
    private var routes: [String: RouteMetrics] = [:]
    private let limitRefusals: Counter
    private let limitSeries: [Series]
    private var countedEvaluations = Expression.refusals
    private let wireRefusals: Counter
    private let wireSeries: [WireRefusal.Reason: Series]
    private let underscores: Counter
    let requests: Counter
    let requestSeconds: Histogram
    let upstreamSeconds: Histogram
    let upstreamFailures: Counter
    let logins: Counter
    let replays: Counter
    private let unproven: Counter
    private let keepalives: Counter
    private let fallbacks: Counter
    let retries: Counter
    let reloads: Counter
    let accepted: Counter
    let idleClosed: Counter

    init() {
        limitRefusals = registry.counter(
            "countersign_limit_refusals_total", help: "Refusals and cut-offs by a configured limit.",
            labels: ["limit"])
        limitSeries = LimitName.allCases.map { [limitRefusals] in limitRefusals.register([Array($0.rawValue.utf8)]) }
        wireRefusals = registry.counter(
            "countersign_wire_refusals_total", help: "Requests refused because they break a rule of HTTP.",
            labels: ["reason"])
        var series: [WireRefusal.Reason: Series] = [:]
        for reason in WireRefusal.Reason.allCases {
            series[reason] = wireRefusals.register([Array(reason.rawValue.utf8)])
        }
        wireSeries = series
        underscores = registry.counter(
            "countersign_underscore_fields_dropped_total", help: "Request fields dropped because of `_` in the name.")
        requests = registry.counter(
            "countersign_requests_total", help: "Finished requests.", labels: ["route", "outcome"])
        requestSeconds = registry.histogram(
            "countersign_request_seconds", help: "From a request's head to the end of its answer.",
            labels: ["route"], scale: .nanosecondsAsSeconds)
        upstreamSeconds = registry.histogram(
            "countersign_upstream_seconds", help: "From sending a request to the head of its answer.",
            labels: ["upstream"], scale: .nanosecondsAsSeconds)
        upstreamFailures = registry.counter(
            "countersign_upstream_failures_total", help: "Transfers without a whole answer.",
            labels: ["upstream", "kind"])
        logins = registry.counter(
            "countersign_logins_total", help: "Logins that ended.", labels: ["session", "result"])
        replays = registry.counter(
            "countersign_replays_total", help: "Requests sent again after a new login.", labels: ["route"])
        unproven = registry.counter(
            "countersign_digest_unproven_total", help: "Answers under HTTP Digest whose rspauth is wrong.",
            labels: ["session"])
        keepalives = registry.counter(
            "countersign_keepalives_total", help: "Requests that kept an idle session alive, by result.",
            labels: ["session", "result"])
        fallbacks = registry.counter(
            "countersign_envelope_fallbacks_total",
            help: "Answers told in the standard envelope because the route's own rendering erred.", labels: ["route"])
        retries = registry.counter(
            "countersign_retries_total", help: "Requests sent again after a lost connection.", labels: ["upstream"])
        reloads = registry.counter(
            "countersign_config_reloads_total", help: "Reloads by result.", labels: ["result"])
        accepted = registry.counter("countersign_connections_accepted_total", help: "Accepted connections.")
        idleClosed = registry.counter(
            "countersign_idle_connections_closed_total", help: "Idle clients closed because descriptors ran short.")
    }

    func limitRefused(_ name: LimitName) {
        guard let index = LimitName.allCases.firstIndex(of: name) else { return }
        limitRefusals.add(to: limitSeries[index])
    }

    /// Evaluations count themselves, since an error of a test only makes it false. Call it before the numbers are read.
    func countEvaluations() {
        let refusals = Expression.refusals
        guard refusals > countedEvaluations, let index = LimitName.allCases.firstIndex(of: .steps) else { return }
        limitRefusals.add(refusals - countedEvaluations, to: limitSeries[index])
        countedEvaluations = refusals
    }

    func wireRefused(_ refusal: WireRefusal) {
        if let series = wireSeries[refusal.reason] { wireRefusals.add(to: series) }
    }

    func underscoresDropped(_ count: Int) {
        if count > 0 { underscores.add(UInt64(count)) }
    }

    /// Rare enough that its series is looked up, not kept.
    func digestUnproven(_ session: String) { unproven.add(to: unproven.register([Array(session.utf8)])) }

    func finished(_ route: RouteRuntime, _ outcome: Outcome, after nanoseconds: UInt64) {
        requests.add(to: route.metrics.outcomes[outcome.rawValue])
        requestSeconds.observe(nanoseconds, for: route.metrics.seconds)
    }

    /// Rare, too.
    func keptAlive(_ session: String, _ result: SessionKeepalive.Result) {
        keepalives.add(to: keepalives.register([Array(session.utf8), Array(result.rawValue.utf8)]))
    }

    /// And this.
    func gaveWay(_ route: String) { fallbacks.add(to: fallbacks.register([Array(route.utf8)])) }

    func replayed(_ route: RouteRuntime) { replays.add(to: route.metrics.replays) }
    func retried(_ upstream: UpstreamHandle) { retries.add(to: upstream.metrics.retries) }

    func upstream(_ name: String) -> UpstreamMetrics { UpstreamMetrics(self, Array(name.utf8)) }

    /// The same again after a reload: finding the ten series of a route costs as much as compiling it.
    func route(_ name: String) -> RouteMetrics {
        if let known = routes[name] { return known }
        let series = RouteMetrics(of: self, Array(name.utf8))
        routes[name] = series
        return series
    }
}

/// One upstream's series.
struct UpstreamMetrics {
    private let metrics: GatewayMetrics
    private let seconds: Series
    let retries: Series
    private let failures: [GatewayError.Kind: Series]

    init(_ metrics: GatewayMetrics, _ name: [UInt8]) {
        self.metrics = metrics
        seconds = metrics.upstreamSeconds.register([name])
        retries = metrics.retries.register([name])
        var failures: [GatewayError.Kind: Series] = [:]
        for kind in GatewayError.Kind.allCases where kind.isTransport || kind == .badAnswer || kind == .overloaded {
            failures[kind] = metrics.upstreamFailures.register([name, Array(kind.rawValue.utf8)])
        }
        self.failures = failures
    }

    func answered(after nanoseconds: UInt64) { metrics.upstreamSeconds.observe(nanoseconds, for: seconds) }

    func failed(_ kind: GatewayError.Kind) {
        if let series = failures[kind] { metrics.upstreamFailures.add(to: series) }
        if kind == .overloaded { metrics.limitRefused(.upstreamQueue) }
    }
}

/// One route's series.
struct RouteMetrics {
    let seconds: Series
    let outcomes: [Series]
    let replays: Series

    init(of metrics: GatewayMetrics, _ name: [UInt8]) {
        seconds = metrics.requestSeconds.register([name])
        replays = metrics.replays.register([name])
        outcomes = Outcome.allCases.map { metrics.requests.register([name, $0.bytes]) }
    }
}
