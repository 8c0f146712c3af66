import Bytes
import JSONBytes
package import Redaction

/// One JSON line per request, collected and written once per tick. Loop-confined.
package final class AccessLog {
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
        var line = AccessLine(writer: writer, keys: keys)
        // The line must own the only reference to the buffer, or the first byte would copy it.
        writer = JSONWriter(escapesInvisible: true)
        line.write(record, &timestamp, redactor)
        writer = line.writer
        if writer.bytes.count > Self.bufferLimit { flush() }
    }

    /// Hands all waiting lines to the sink, in one write.
    package func flush() {
        guard !writer.bytes.isEmpty else { return }
        sink.write(writer.take())
    }
}
