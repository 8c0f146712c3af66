import Bytes
import JSONBytes
import Redaction

/// Writes one access log line. A value on the stack: the fields of a class would be checked for exclusive access at each of
/// some forty steps.
struct AccessLine {
    /// Longest path and longest list of query names in a line.
    private static let textLimit = 2048

    var writer: JSONWriter
    let keys: AccessLogKeys

    mutating func write(_ record: borrowing AccessRecord, _ timestamp: inout Timestamp, _ redactor: Redactor?) {
        writer.beginObject()
        key(.time)
        writer.raw { timestamp.appendQuoted(unixNanoseconds: record.unixNanoseconds, to: &$0) }
        text(.id, record.id.span)
        text(.remote, record.remote.span)
        text(.method, record.method.span)
        redacted(.path, record.target.path, redactor)
        redacted(.query, record.target.queryKeys, redactor)
        text(.route, record.route.span)
        text(.upstream, record.upstream.span)
        text(.session, record.session.span)
        number(.status, UInt64(clamping: record.status))
        if record.upstreamStatus > 0 { number(.upstreamStatus, UInt64(clamping: record.upstreamStatus)) }
        key(.outcome)
        writer.raw(record.outcome.json)
        word(.error, record.error)
        number(.bytesIn, record.bytesIn)
        number(.bytesOut, record.bytesOut)
        milliseconds(.duration, record.duration)
        if record.attempts > 0 { milliseconds(.upstreamDuration, record.upstreamDuration) }
        number(.attempts, UInt64(clamping: record.attempts))
        key(.replayed)
        writer.bool(record.isReplayed)
        word(.notReplayed, record.notReplayed)
        word(.notRetried, record.notRetried)
        writer.endObject()
        writer.endLine()
    }

    private mutating func key(_ key: AccessLogKeys.Key) {
        let keys = keys
        writer.rawKey(keys.text.span.extracting(keys.range(of: key)))
    }

    private mutating func word(_ key: AccessLogKeys.Key, _ word: LogWord?) {
        guard let word else { return }
        self.key(key)
        writer.raw(word.json)
    }

    private mutating func text(_ key: AccessLogKeys.Key, _ value: Span<UInt8>) {
        guard value.count > 0 else { return }
        self.key(key)
        writer.string(value)
    }

    private mutating func redacted(_ key: AccessLogKeys.Key, _ value: [UInt8], _ redactor: Redactor?) {
        let safe = redactor?.redact(value.span)
        if safe == nil, value.count <= Self.textLimit { return text(key, value.span) }
        let clipped = LogText.clipped((safe ?? value)[...], to: Self.textLimit)
        text(key, clipped.span)
    }

    private mutating func number(_ key: AccessLogKeys.Key, _ value: UInt64) {
        self.key(key)
        writer.uint(value)
    }

    private mutating func milliseconds(_ key: AccessLogKeys.Key, _ nanoseconds: UInt64) {
        self.key(key)
        writer.fixed(nanoseconds / 1000, decimals: 3)
    }
}
