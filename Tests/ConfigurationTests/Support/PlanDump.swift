import Configuration
import Cryptography
import Domain
import Expressions
import HTTPWire

/// A plan as lines, for golden files: every value that the config decides, no secret.
enum PlanDump {
    static func lines(_ plan: GatewayPlan) -> [String] {
        var lines = plan.listeners.map { "listen \(address($0))" }
        if let admin = plan.admin { lines.append("admin \(address(admin))") }
        if !plan.access.hosts.isEmpty { lines.append("hosts \(plan.access.hosts.joined(separator: " "))") }
        if !plan.access.origins.isEmpty { lines.append("origins \(plan.access.origins.joined(separator: " "))") }
        if plan.limits != GatewayLimits() { lines.append("limits " + limits(plan.limits)) }
        if plan.log != LogPlan() { lines.append("log \(plan.log.level) \(plan.log.access)") }
        for (language, texts) in plan.texts.byLanguage.sorted(by: { $0.key < $1.key }) {
            for (kind, text) in texts.sorted(by: { $0.key < $1.key }) {
                lines.append("text \(language) \(kind) \(text)")
            }
        }
        for secret in plan.secrets { lines.append("secret \(secret.name) \(secret.value.count) bytes") }
        for (index, upstream) in plan.upstreams.enumerated() {
            lines += self.upstream(upstream, plan.reachability[index])
        }
        for session in plan.sessions { lines += self.session(session, plan) }
        for route in plan.routes { lines += self.route(route, plan) }
        return lines
    }

    private static func address(_ listener: ListenerPlan) -> String {
        switch listener {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .localhost(let port): "localhost:\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    private static func time(_ nanoseconds: UInt64) -> String { "\(nanoseconds / 1_000_000)ms" }

    private static func limits(_ limits: GatewayLimits) -> String {
        "connections=\(limits.connections) in_flight=\(limits.inFlight) request_line=\(limits.requestLine) "
            + "head=\(limits.head) fields=\(limits.fields) field_name=\(limits.fieldName) "
            + "requests=\(limits.requestsPerConnection) head_time=\(time(limits.headTime)) "
            + "body_idle=\(time(limits.bodyIdle)) body_rate=\(limits.bodyRate)/\(time(limits.bodyRateAfter)) "
            + "keep_alive=\(time(limits.keepAlive)) write_stall=\(time(limits.writeStall)) drain=\(time(limits.drain))"
    }

    private static func upstream(_ plan: UpstreamPlan, _ reachability: ReachabilityPlan) -> [String] {
        var lines = [
            "upstream \(plan.name) \(plan.scheme) \(plan.host):\(plan.port) base=\(text(plan.basePath)) \(plan.version)",
            "  timeouts connect=\(time(plan.timeouts.connect)) first_byte=\(time(plan.timeouts.firstByte)) "
                + "idle=\(time(plan.timeouts.idle)) total=\(time(plan.timeouts.total))",
            "  tls verify=\(plan.tls.verify) pins=\(plan.tls.pins.count)",
            "  limits in_flight=\(plan.maxInFlight) queued=\(plan.maxQueued)/\(time(plan.timeouts.queue)) idle=\(plan.maxIdle)/\(time(plan.idleAge)) "
                + "answer_fields=\(plan.maxAnswerFields) interim=\(plan.maxInterim)",
            "  breaker \(reachability.opens ? "\(reachability.failures)" : "off") \(time(reachability.wait))..\(time(reachability.waitMax)) "
                + "clock=\(reachability.learnsClock)",
        ]
        if let path = reachability.probePath {
            lines.append(
                "  probe \(text(path)) \(time(reachability.probeEvery)) \(time(reachability.probeTimeout))")
        }
        lines += attach(plan.attach)
        if let socket = plan.unixSocket { lines.append("  socket \(socket)") }
        if let proxy = plan.proxy {
            lines.append("  proxy \(proxy) credentials=\(plan.proxyCredentials.map { "\($0.count) bytes" } ?? "none")")
        }
        return lines
    }

    private static func session(_ session: SessionPlan, _ plan: GatewayPlan) -> [String] {
        let limits = session.limits
        var lines = [
            "session \(session.name) at \(plan.upstreams[session.upstream].name) captures "
                + "\(session.captureNames.joined(separator: ",")) body=\(session.expiredReadsBody)"
        ]
        for (word, step) in session.login.map({ ("login", $0) }) + session.renewal.refresh.map({ ("refresh", $0) }) {
            lines.append("  \(word) \(text(step.method)) \(step.path.source) \(body(step.body))")
            lines += step.query.map { "    query \(text($0.name))=\($0.value.source)" }
            lines += step.headers.map { "    header \(text($0.name)): \($0.value.source)" }
            for signature in step.signatures { lines.append("    sign \(signature.name)") }
            if let success = step.success { lines.append("    success \(success.source)") }
            if let refused = step.refused { lines.append("    refused \(refused.source)") }
            if let upstream = step.upstream { lines.append("    at \(plan.upstreams[upstream].name)") }
            lines += step.variables.map { "    vars.\($0.name) = \(variable($0.source))" }
            if let human = step.human { lines.append("    human \(human.source)") }
            if let poll = step.poll {
                lines.append("    poll \(poll.pending.source) every \(poll.every?.source ?? "5")")
            }
            lines += step.captures.map { "    capture #\($0.slot) \($0.value.source)" }
        }
        if let expired = session.expired { lines.append("  expired \(expired.source)") }
        if let taken = session.taken { lines.append("  taken \(taken.when.source) -> \(taken.policy)") }
        if session.keepsCookies { lines.append("  cookies") }
        if let human = session.renewal.human { lines.append("  human \(human)") }
        if let source = session.renewal.source { lines.append("  token from \(source.place)") }
        if !session.renewal.refresh.isEmpty { lines.append("  refresh needs \(session.renewal.refreshNeeds)") }
        lines += attach(session.attach)
        if limits != SessionLimits() {
            lines.append(
                "  waiting=\(limits.waiting)/\(time(limits.waitTime)) ahead=\(time(limits.refreshAhead)) "
                    + "backoff=\(time(limits.backoffMin))..\(time(limits.backoffMax)) "
                    + "window=\(limits.windowLogins)/\(time(limits.windowTime))")
        }
        return lines
    }

    private static func body(_ body: LoginStep.Body) -> String {
        switch body {
        case .none: "no body"
        case .form(let fields):
            "form " + fields.map { "\(text($0.name))=\($0.value.source)" }.joined(separator: " & ")
        case .json(let shape): "json " + json(shape)
        case .raw(let template): "raw " + template.source
        case .xml(let template): "xml " + template.source
        case .multipart(let parts):
            "multipart " + parts.map { "\(text($0.name))=\($0.value.source)" }.joined(separator: " & ")
        }
    }

    private static func variable(_ source: LoginStep.Variable.Source) -> String {
        switch source {
        case .expression(let expression): expression.source
        case .template(let template): template.source
        }
    }

    private static func json(_ shape: LoginStep.JSONShape) -> String {
        switch shape {
        case .value(let template): "<\(template.source)>"
        case .literal(let bytes): text(bytes)
        case .object(let members):
            "{" + members.map { "\(text($0.key)): \(json($0.value))" }.joined(separator: ", ") + "}"
        case .array(let items): "[" + items.map(json).joined(separator: ", ") + "]"
        }
    }

    private static func attach(_ plan: AttachPlan) -> [String] {
        plan.fields.map { "  attach \($0.place) \(text($0.name)) = \($0.value.source)" }
    }

    private static func route(_ route: RoutePlan, _ plan: GatewayPlan) -> [String] {
        var lines = ["route \(route.name) \(pattern(route.pattern)) -> \(plan.upstreams[route.upstream].name)"]
        if !route.methods.isEmpty { lines.append("  methods \(route.methods.map(\.name).joined(separator: " "))") }
        if !route.hosts.isEmpty { lines.append("  hosts \(route.hosts.joined(separator: " "))") }
        if let rewrite = route.rewrite { lines.append("  rewrite \(rewrite.source)") }
        if let session = route.session {
            lines.append("  session \(plan.sessions[session].name) login=\(route.login) relogin=\(route.relogin)")
        }
        for signature in route.signatures {
            lines.append("  sign \(signature.name) body=\(signature.readsBody)")
            lines += signature.variables.map { "    \($0.name) = \($0.value.source)" }
            lines += attach(signature.attach).map { "  " + $0 }
            if let skip = signature.skip { lines.append("    skip \(skip.source)") }
        }
        lines += attach(route.attach)
        if let shape = route.shape {
            lines.append(
                "  request \(shape.source) -> \(shape.target) nested=\(shape.nesting) root=\(text(shape.root ?? Array("xml".utf8))) "
                    + "method=\(shape.method.map(text) ?? "same")")
            lines += shape.transforms.map { "    transform \(text($0.name)) = \($0.value.source)" }
        }
        if let rule = route.envelope { lines += envelope(rule) }
        if let envelope = route.sessionEnvelope { lines.append("  session reads by \(envelope.name)") }
        if route.limits != RouteLimits() {
            lines.append(
                "  limits body=\(route.limits.body) replay=\(route.limits.replay) inspect=\(route.limits.inspect)")
        }
        if route.keepsUnderscores { lines.append("  underscores") }
        return lines
    }

    private static func pattern(_ pattern: PathPattern) -> String {
        pattern.segments.map { segment in
            switch segment {
            case .literal(let bytes): "/" + text(bytes)
            case .any: "/*"
            case .rest: "/**"
            }
        }.joined()
    }

    private static func envelope(_ rule: EnvelopeRule) -> [String] {
        let target =
            switch rule.target {
            case .standard: "standard"
            case .problem: "problem"
            case .same: "same"
            case .other(let plan): plan.name
            }
        let from = rule.from
        var lines = ["  envelope \(from.name) -> \(target) status=\(rule.statusSource)"]
        lines.append("    unwrap \(from.unwrap.map(\.text).joined(separator: " "))")
        for (name, expression) in [
            ("verify", from.verify), ("open", from.open), ("ok", from.ok), ("code", from.code),
            ("message", from.message), ("data", from.data),
        ] {
            if let expression { lines.append("    \(name) \(expression.source)") }
        }
        lines += from.render.map { "    render \(text($0.name)) = \($0.value.source)" }
        return lines
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
