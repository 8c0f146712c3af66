/// What happens when a limit of the config is reached, and where it is counted.
struct LimitEffect {
    var text: String
    var metric: String

    init(_ text: String, _ metric: String = "") {
        self.text = text
        self.metric = metric
    }

    static func wire(_ reason: String) -> String { "countersign_wire_refusals_total{reason=\"\(reason)\"}" }

    static func limit(_ name: LimitName) -> String {
        "countersign_limit_refusals_total{limit=\"\(name.rawValue)\"}"
    }

    private static func failure(_ kind: String) -> String { "countersign_upstream_failures_total{kind=\"\(kind)\"}" }

    /// By key of the config. A test compares it with the keys that there are.
    static let all: [String: LimitEffect] = [
        "limits.connections": LimitEffect("503, close", limit(.connections)),
        "limits.in_flight": LimitEffect("503 `overloaded`", limit(.inFlight)),
        "limits.request_line": LimitEffect("414", wire("request_line_too_long")),
        "limits.head": LimitEffect("431", wire("head_too_large")),
        "limits.fields": LimitEffect("431", wire("too_many_fields")),
        "limits.field_name": LimitEffect("431", wire("field_name_too_long")),
        "limits.requests_per_connection": LimitEffect("close after the answer", limit(.requestsPerConnection)),
        "limits.head_time": LimitEffect("408, close", limit(.headTime)),
        "limits.body_idle": LimitEffect("408, close", limit(.bodyIdle)),
        "limits.held": LimitEffect("503 `overloaded`, close", limit(.held)),
        "limits.form_fields": LimitEffect("400; 413 `too_large` for a body", limit(.formFields)),
        "limits.body_values": LimitEffect("413 `too_large`", limit(.bodyValues)),
        "limits.steps": LimitEffect(
            "413 `too_large`, or 500 `internal` where no request can be the cause; a test is false", limit(.steps)),
        "limits.body_rate": LimitEffect("408, close", limit(.bodyRate)),
        "limits.body_rate_after": LimitEffect("`body_rate` counts from here"),
        "limits.keep_alive": LimitEffect("close"),
        "limits.write_stall": LimitEffect("close", limit(.writeStall)),
        "limits.drain": LimitEffect("what is still under way is cut"),
        "upstreams.NAME.timeouts.connect": LimitEffect("504 `timeout`", failure("timeout")),
        "upstreams.NAME.timeouts.first_byte": LimitEffect("504 `timeout`", failure("timeout")),
        "upstreams.NAME.timeouts.idle": LimitEffect("504 `timeout`", failure("timeout")),
        "upstreams.NAME.timeouts.total": LimitEffect("504 `timeout`", failure("timeout")),
        "upstreams.NAME.limits.in_flight": LimitEffect("waits", "countersign_upstream_queued"),
        "upstreams.NAME.limits.queued": LimitEffect("503 `overloaded`", limit(.upstreamQueue)),
        "upstreams.NAME.limits.queue_time": LimitEffect("503 `overloaded`", limit(.upstreamQueue)),
        "upstreams.NAME.limits.idle_connections": LimitEffect("the oldest is closed"),
        "upstreams.NAME.limits.idle_age": LimitEffect("closed instead of used"),
        "upstreams.NAME.limits.answer_fields": LimitEffect("502 `bad_answer`", failure("bad_answer")),
        "upstreams.NAME.limits.interim": LimitEffect("502 `bad_answer`", failure("bad_answer")),
        "sessions.NAME.in_flight": LimitEffect("waits", "countersign_parked"),
        "sessions.NAME.wait.requests": LimitEffect("503 `session_pending`", limit(.sessionWait)),
        "sessions.NAME.wait.time": LimitEffect("503 `session_pending`", limit(.sessionWait)),
        "sessions.NAME.login_time": LimitEffect(
            "503 `login_unavailable`", "countersign_logins_total{result=\"failed\"}"),
        "sessions.NAME.backoff.min": LimitEffect("503 `login_unavailable` until it is over"),
        "sessions.NAME.backoff.max": LimitEffect("503 `login_unavailable` until it is over"),
        "sessions.NAME.attempts_window.logins": LimitEffect("503 `login_unavailable`"),
        "sessions.NAME.attempts_window.per": LimitEffect("503 `login_unavailable`"),
        "routes[].limits.body": LimitEffect("413 `too_large`, close", limit(.body)),
        "routes[].limits.replay": LimitEffect("no replay; an expiry is passed on", limit(.replay)),
        "routes[].limits.inspect": LimitEffect("502 `bad_answer` on envelope routes", limit(.inspect)),
    ]
}
