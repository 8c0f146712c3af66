import Bytes
import Domain
import Expressions
import HTTPWire
import LoopKit
import Observability
import Redaction

/// What the worker tells about what happened: access log, metrics, operator log.
extension Worker {
    /// Every exchange ends here.
    func report(_ exchange: Exchange) {
        let record = exchange.record
        let elapsed = loop.clock &- exchange.started
        if let route = exchange.route { metrics.finished(route, record.outcome, after: elapsed) }
        if let error = record.error { logFailure(error, exchange) }
        guard let access = sinks.access else { return }
        let wall = loop.wall
        let target = exchange.head?.originTarget ?? []
        var line = AccessRecord(
            unixNanoseconds: UInt64(wall.seconds) * 1_000_000_000 + UInt64(wall.nanoseconds) &- elapsed,
            id: idText(exchange.id), remote: exchange.connection.remoteText,
            method: exchange.head.map { Array($0.method.rawValue.utf8)[...] } ?? [],
            target: AccessTarget(target.span), outcome: LogWords.outcomes[record.outcome.rawValue])
        if let route = exchange.route {
            line.route = Array(route.plan.name.utf8)
            line.upstream = Array(route.upstream.plan.name.utf8)
            if let session = route.session { line.session = Array(session.plan.name.utf8) }
        }
        line.status = record.status
        line.upstreamStatus = record.upstreamStatus
        line.error = record.error.map { LogWords.kinds[$0.kind] ?? LogWords.unknown }
        line.bytesIn = record.bytesIn
        line.bytesOut = record.bytesOut
        line.duration = elapsed
        line.upstreamDuration = record.upstreamDuration
        line.attempts = exchange.attempts
        line.isReplayed = exchange.isReplay
        line.notReplayed = record.handedOn.map { LogWord($0.word) }
        line.notRetried = record.notRetried.map { LogWord($0.word) }
        access.append(line)
    }

    /// Failures of one kind at one upstream collapse to one line per window, with a count.
    private func logFailure(_ error: GatewayError, _ exchange: Exchange) {
        let level = ErrorResponse(error).logLevel.logLevel
        guard level >= .warning else { return }
        let subject = exchange.route?.upstream.plan.name ?? ""
        log.repeated(
            level, "request failed", about: Array("\(error.kind.rawValue) \(subject)".utf8),
            [
                .text("kind", error.kind.rawValue), .text("upstream", subject), .text("detail", error.detail),
                .text("id", idText(exchange.id)),
            ])
    }

    func sessionChanged(_ book: SessionBook, _ result: LoginResult) {
        switch result {
        case .succeeded(let grant):
            metrics.logins.add(to: metrics.logins.register([Array(book.plan.name.utf8), Array("succeeded".utf8)]))
            log.info(
                "session ready",
                [.text("session", book.plan.name), .int("generation", book.status.generation)])
            if let problem = grant.expiryProblem { expiryNotUnderstood(book, problem) }
        case .failed(let error, _, _):
            metrics.logins.add(to: metrics.logins.register([Array(book.plan.name.utf8), Array("failed".utf8)]))
            log.error(
                "login failed",
                [
                    .text("session", book.plan.name), .text("kind", error.kind.rawValue),
                    .text("detail", error.detail),
                ])
        case .refused(let error) where error.kind == .loginRequired:
            metrics.logins.add(to: metrics.logins.register([Array(book.plan.name.utf8), Array("refused".utf8)]))
            sessionWaits(book, error)
        case .refused(let error):
            metrics.logins.add(to: metrics.logins.register([Array(book.plan.name.utf8), Array("refused".utf8)]))
            log.error(
                "login refused; no other try until the config changes or an operator asks for one",
                [.text("session", book.plan.name), .text("detail", error.detail)])
        }
    }

    /// What an envelope had no value for. The log tells once for each part and route, or a recipe that is never right would say
    /// nothing, and one that is right now and then would fill it.
    func envelopeErred(_ faults: [EnvelopeFault], _ rule: EnvelopeRule, _ route: RouteRuntime) {
        for fault in faults {
            if fault.part == .render { metrics.gaveWay(route.plan.name) }
            guard route.toldFaults.insert(fault.part).inserted else { continue }
            let envelope = fault.part == .render ? rule.dialect ?? rule.from : rule.from
            log.warning(
                fault.part.consequence,
                [
                    .text("route", route.plan.name), .text("envelope", envelope.name),
                    .text("expression", fault.name), .text("reason", fault.reason),
                ])
        }
    }

    /// The session ends when it is refused then, not before.
    func expiryNotUnderstood(_ book: SessionBook, _ problem: String) {
        log.repeated(
            .warning, "the end of the session is not understood", about: Array(book.plan.name.utf8),
            [.text("session", book.plan.name), .text("problem", problem)])
    }

    /// A logout is over.
    func sessionLeft(_ book: SessionBook, _ result: LoginResult) {
        switch result {
        case .succeeded: log.info("logged out", [.text("session", book.plan.name)])
        case .failed(let error, _, _), .refused(let error):
            log.warning("logout failed", [.text("session", book.plan.name), .text("detail", error.detail)])
        }
    }

    /// The old session dies by itself, some time.
    func logoutLeftOut(_ book: SessionBook) {
        log.info("logout left out: it might end the session that took its place", [.text("session", book.plan.name)])
    }

    /// What became of the sealed file of a session; `record`: what it held.
    func storeChanged(_ book: SessionBook, _ store: SessionStore, _ record: SessionRecord?) {
        let name = book.plan.name
        switch store.state {
        case .empty: break
        case .saved:
            guard let record else { return }
            log.info(
                "session restored",
                [
                    .text("session", name), .int("generation", book.status.generation),
                    .int("age", loop.wall.seconds - record.obtained),
                ])
        case .ignored(let problem):
            log.warning(
                "stored session not used; the next request logs in",
                [.text("session", name), .text("problem", problem)])
        case .failed(let problem):
            log.warning(
                "session could not be stored; a restart will log in again",
                [.text("session", name), .text("problem", problem)])
        }
    }

    /// A person has to act; the line says how.
    func sessionWaits(_ book: SessionBook, _ error: GatewayError) {
        log.warning("login needs a person", [.text("session", book.plan.name), .text("action", error.detail)])
    }

    func reachabilityChanged(_ upstream: UpstreamHandle, isUp: Bool) {
        if isUp {
            log.info("upstream is back", [.text("upstream", upstream.plan.name)])
            // Those whose login waited for it.
            for book in runtime.sessions { book.loginDue() }
        } else {
            log.error(
                "upstream is away",
                [
                    .text("upstream", upstream.plan.name),
                    .text("kind", upstream.status.lastFailure?.rawValue ?? "unknown"),
                ])
        }
    }

    /// A login brought secrets: from now on no log line shows them.
    func redact(_ values: [[UInt8]]) {
        for value in values where value.count >= 8 { sinks.redactor.add(value) }
    }

    /// Values that are worth nothing any more, unless the credential still holds them.
    func unredact(_ values: ArraySlice<[UInt8]>, but captures: [CapturedValue]) {
        let current = captures.compactMap { $0.value.contents.map { Array($0) } }
        sinks.redactor.remove(values.filter { !current.contains($0) })
    }

    func redact(_ captures: [CapturedValue]) {
        for capture in captures {
            if let text = capture.value.contents, text.count >= 8 { sinks.redactor.add(Array(text)) }
        }
    }
}

/// Constant words of access log lines.
enum LogWords {
    static let outcomes = Outcome.allCases.map { LogWord($0.word) }
    static let unknown = LogWord("unknown")
    static let kinds: [GatewayError.Kind: LogWord] = [
        .offline: LogWord("offline"), .dns: LogWord("dns"), .refused: LogWord("refused"),
        .connectionLost: LogWord("connection_lost"), .tls: LogWord("tls"), .timeout: LogWord("timeout"),
        .badAnswer: LogWord("bad_answer"), .upstreamError: LogWord("upstream_error"),
        .loginRequired: LogWord("login_required"), .loginRefused: LogWord("login_refused"),
        .loginUnavailable: LogWord("login_unavailable"), .sessionPending: LogWord("session_pending"),
        .sessionTaken: LogWord("session_taken"), .overloaded: LogWord("overloaded"),
        .badRequest: LogWord("bad_request"), .tooLarge: LogWord("too_large"), .notFound: LogWord("not_found"),
        .forbidden: LogWord("forbidden"), .internal: LogWord("internal"),
    ]
}

extension EnvelopeFault.Part {
    /// The error, and what is told all the same.
    fileprivate var consequence: StaticString {
        switch self {
        case .open, .ok: "an expression of the envelope errs; the answer is told by its status"
        case .code, .message, .data: "an expression of the envelope errs; told as absent"
        case .render: "an expression of the envelope errs; told in the standard envelope"
        }
    }
}
