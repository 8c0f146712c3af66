import Bytes
import JSONBytes

/// One JSON line per request, collected and written once per tick. Loop-confined.
package final class AccessLog {
    /// Longest path and longest list of query names in a line.
    private static let textLimit = 2048
    /// Written at once beyond this, so that one long tick does not pile up memory.
    private static let bufferLimit = 262_144

    private let sink: any LogSink
    private let redactor: Redactor?
    private let schedule: () -> Void
    private let keys = AccessLogKeys()
    private var writer = JSONWriter(escapesInvisible: true)
    private var timestamp = Timestamp()

    /// `schedule` is called when the first line of a tick is waiting: it must see to it that `flush()` is called at the
    /// tick's end. The redactor looks at path and query names, where a client may have put a known secret.
    package init(sink: any LogSink, redactor: Redactor?, schedule: @escaping () -> Void) {
        self.sink = sink
        self.redactor = redactor
        self.schedule = schedule
    }

    package func append(_ record: borrowing AccessRecord) {
        if writer.bytes.isEmpty { schedule() }
        writer.beginObject()
        key(keys.time)
        writer.raw { timestamp.appendQuoted(unixNanoseconds: record.unixNanoseconds, to: &$0) }
        text(keys.id, record.id[...])
        text(keys.remote, record.remote[...])
        text(keys.method, record.method)
        redacted(keys.path, record.target.path)
        redacted(keys.query, record.target.queryKeys)
        text(keys.route, record.route[...])
        text(keys.upstream, record.upstream[...])
        text(keys.session, record.session[...])
        number(keys.status, UInt64(clamping: record.status))
        if record.upstreamStatus > 0 { number(keys.upstreamStatus, UInt64(clamping: record.upstreamStatus)) }
        word(keys.outcome, record.outcome)
        if let error = record.error { word(keys.error, error) }
        number(keys.bytesIn, record.bytesIn)
        number(keys.bytesOut, record.bytesOut)
        milliseconds(keys.duration, record.duration)
        if record.attempts > 0 { milliseconds(keys.upstreamDuration, record.upstreamDuration) }
        number(keys.attempts, UInt64(clamping: record.attempts))
        key(keys.replayed)
        writer.bool(record.isReplayed)
        writer.endObject()
        writer.endLine()
        if writer.bytes.count > Self.bufferLimit { flush() }
    }

    /// Hands all waiting lines to the sink, in one write.
    package func flush() {
        guard !writer.bytes.isEmpty else { return }
        sink.write(writer.take())
    }

    private func key(_ key: [UInt8]) { writer.rawKey(key.span) }

    private func text(_ key: [UInt8], _ value: ArraySlice<UInt8>) {
        guard !value.isEmpty else { return }
        writer.rawKey(key.span)
        writer.string(value.span)
    }

    private func redacted(_ key: [UInt8], _ value: [UInt8]) {
        let safe = redactor?.redact(value.span) ?? value
        text(key, LogText.clipped(safe[...], to: Self.textLimit))
    }

    private func word(_ key: [UInt8], _ value: LogWord) {
        writer.rawKey(key.span)
        writer.raw(value.json.span)
    }

    private func number(_ key: [UInt8], _ value: UInt64) {
        writer.rawKey(key.span)
        writer.uint(value)
    }

    private func milliseconds(_ key: [UInt8], _ nanoseconds: UInt64) {
        writer.rawKey(key.span)
        writer.fixed(nanoseconds / 1000, decimals: 3)
    }
}
