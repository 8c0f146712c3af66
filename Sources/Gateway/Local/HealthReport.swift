import Bytes
import Domain
import JSONBytes
import LoopKit

/// What `/health` and `/readyz` say. Liveness never depends on an upstream or a session (peers 85); readiness does.
enum HealthReport {
    static func detail(_ worker: Worker) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("status")
        writer.string(status(worker))
        writer.key("version")
        writer.string(Array(worker.options.version.utf8).span)
        writer.key("uptime")
        writer.uint((worker.loop.now &- worker.startedAt) / 1_000_000_000)
        writer.key("connections")
        writer.int(worker.connections.count)
        writer.key("in_flight")
        writer.int(worker.inFlight)
        writer.key("draining")
        writer.bool(worker.isDraining)
        writer.key("upstreams")
        writer.beginObject()
        for upstream in worker.runtime.upstreams {
            writer.key(Array(upstream.plan.name.utf8).span)
            write(upstream, to: &writer)
        }
        writer.endObject()
        writer.key("sessions")
        writer.beginObject()
        for book in worker.runtime.sessions {
            writer.key(Array(book.plan.name.utf8).span)
            write(book, to: &writer)
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    static func session(_ book: SessionBook) -> [UInt8] {
        var writer = JSONWriter()
        write(book, to: &writer)
        return writer.bytes
    }

    /// Ready: every upstream may be tried, and no session is one that cannot be had.
    static func readiness(_ worker: Worker) -> (isReady: Bool, body: [UInt8]) {
        var reasons: [String] = []
        if worker.isDraining { reasons.append("draining") }
        let upstreams = worker.runtime.upstreams
        for upstream in upstreams where upstream.status.state == .down {
            reasons.append("upstream \(upstream.plan.name) is away")
        }
        for book in worker.runtime.sessions {
            let status = book.status
            guard status.isUnavailable else { continue }
            switch status.state {
            case .refused: reasons.append("session \(book.plan.name) was refused")
            case .loginRequired: reasons.append("session \(book.plan.name) needs a person to log in")
            case .taken: reasons.append("session \(book.plan.name) was taken by a login elsewhere")
            case .none, .ready, .loggingIn, .backoff: reasons.append("session \(book.plan.name) cannot log in")
            }
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("ready")
        writer.bool(reasons.isEmpty)
        writer.key("reasons")
        writer.beginArray()
        for reason in reasons { writer.string(Array(reason.utf8).span) }
        writer.endArray()
        writer.endObject()
        return (reasons.isEmpty, writer.bytes)
    }

    private static func status(_ worker: Worker) -> StaticString {
        let upstreams = worker.runtime.upstreams
        let down = upstreams.filter { $0.status.state == .down }.count
        if down > 0, down == upstreams.count { return "down" }
        let failing = worker.runtime.sessions.contains { book in
            // Nothing is wrong now, but a restart will cost a login, which may need a person.
            if case .failed? = book.store?.state { return true }
            return book.status.isUnavailable
        }
        return down > 0 || failing ? "degraded" : "ok"
    }

    private static func write(_ upstream: UpstreamHandle, to writer: inout JSONWriter) {
        let status = upstream.status
        writer.beginObject()
        writer.key("state")
        writer.string(Array(status.state.rawValue.utf8).span)
        writer.key("breaker")
        writer.string(Array(status.breaker.rawValue.utf8).span)
        writer.key("lastFailure")
        optional(status.lastFailure?.rawValue, to: &writer)
        writer.key("retryAfter")
        seconds(status.retryAfter, to: &writer)
        writer.key("clockOffset")
        writer.int(upstream.clock.seconds)
        if let address = upstream.plan.address {
            writer.key("address")
            writer.string(Array("\(address.host):\(address.port)".utf8).span)
        }
        writer.key("verifyTLS")
        writer.bool(upstream.plan.tls.isVerified)
        writer.key("inFlight")
        writer.int(upstream.transport.gauges.inFlight)
        writer.endObject()
    }

    private static func write(_ book: SessionBook, to writer: inout JSONWriter) {
        let status = book.status
        writer.beginObject()
        writer.key("state")
        writer.string(Array(status.state.rawValue.utf8).span)
        writer.key("generation")
        writer.uint(status.generation)
        writer.key("expiresIn")
        seconds(status.expiresIn, to: &writer)
        writer.key("retryAfter")
        seconds(status.retryAfter, to: &writer)
        writer.key("lastError")
        optional(status.lastError?.kind.rawValue, to: &writer)
        writer.key("lastAnswer")
        optional(status.lastError?.answer, to: &writer)
        writer.key("action")
        optional(status.action, to: &writer)
        writer.key("attempt")
        writer.string(Array(status.attempt.rawValue.utf8).span)
        writer.key("expiryProblem")
        optional(book.expiryProblem, to: &writer)
        write(book.store?.state, to: &writer)
        writer.key("logins")
        writer.uint(status.logins.succeeded)
        writer.key("waiting")
        writer.int(status.waiting)
        writer.endObject()
    }

    private static func write(_ state: SessionStore.State?, to writer: inout JSONWriter) {
        writer.key("store")
        guard let state else { return writer.null() }
        writer.beginObject()
        writer.key("state")
        writer.string(state.word)
        writer.key("problem")
        optional(state.problem, to: &writer)
        writer.endObject()
    }

    private static func optional(_ text: String?, to writer: inout JSONWriter) {
        if let text { writer.string(Array(text.utf8).span) } else { writer.null() }
    }

    private static func seconds(_ nanoseconds: UInt64?, to writer: inout JSONWriter) {
        if let nanoseconds { writer.uint(nanoseconds.rounded(upTo: 1_000_000_000)) } else { writer.null() }
    }
}

extension UInt64 {
    /// Whole units, rounded up: a wait of 0 would ask for a retry at once.
    fileprivate func rounded(upTo unit: UInt64) -> UInt64 { self / unit + (self % unit == 0 ? 0 : 1) }
}
