import Bytes
import JSONBytes
package import Redaction

/// The operator's log: one JSON line per event, a constant message and typed fields. Loop-confined.
package final class Log {
    /// Longest text field in a line; longer ones are cut, after redaction.
    private static let textLimit = 1024

    /// Lines below this are dropped, their fields not even made.
    package var level: LogLevel
    private let sink: any LogSink
    private let redactor: Redactor
    private let clock: () -> UInt64
    private var repeats: RepeatLimiter
    private var timestamp = Timestamp()

    /// - Parameters:
    ///   - clock: nanoseconds since 1970.
    ///   - window: of `repeated`, nanoseconds. Default 10 s.
    package init(
        level: LogLevel, sink: any LogSink, redactor: Redactor, window: UInt64 = 10_000_000_000,
        clock: @escaping () -> UInt64
    ) {
        self.level = level
        self.sink = sink
        self.redactor = redactor
        self.clock = clock
        repeats = RepeatLimiter(window: window)
    }

    package func debug(_ message: StaticString, _ fields: @autoclosure () -> [LogField] = []) {
        log(.debug, message, fields())
    }
    package func info(_ message: StaticString, _ fields: @autoclosure () -> [LogField] = []) {
        log(.info, message, fields())
    }
    package func warning(_ message: StaticString, _ fields: @autoclosure () -> [LogField] = []) {
        log(.warning, message, fields())
    }
    package func error(_ message: StaticString, _ fields: @autoclosure () -> [LogField] = []) {
        log(.error, message, fields())
    }

    package func log(_ level: LogLevel, _ message: StaticString, _ fields: @autoclosure () -> [LogField] = []) {
        guard level >= self.level else { return }
        write(level, message, fields(), repeated: 0, at: clock())
    }

    /// For what may happen with every request: the first line of its kind goes out, further ones within the window are
    /// only counted; the count goes out as `repeated` with the first line after the window, or by `sweep()`.
    ///
    /// Of one kind are lines with the same message and the same `subject` (an upstream's name, say).
    package func repeated(
        _ level: LogLevel, _ message: StaticString, about subject: [UInt8] = [],
        _ fields: @autoclosure () -> [LogField] = []
    ) {
        guard level >= self.level else { return }
        let now = clock()
        guard let count = repeats.admit(level, message, subject, now: now) else { return }
        write(level, message, fields(), repeated: count, at: now)
    }

    /// Writes the counts whose window has ended. Call it every few seconds and before the end.
    package func sweep(all: Bool = false) {
        let now = clock()
        for kind in repeats.drain(now: now, all: all) {
            let fields = kind.subject.isEmpty ? [] : [LogField.text("about", kind.subject)]
            write(kind.level, kind.message, fields, repeated: kind.count, at: now)
        }
    }

    private func write(
        _ level: LogLevel, _ message: StaticString, _ fields: [LogField], repeated: UInt64, at now: UInt64
    ) {
        var writer = JSONWriter(escapesInvisible: true)
        writer.beginObject()
        writer.key("time")
        writer.raw { timestamp.appendQuoted(unixNanoseconds: now, to: &$0) }
        writer.key("level")
        writer.string(level.name)
        writer.key("message")
        writer.string(message)
        for field in fields { write(field, to: &writer) }
        if repeated > 0 {
            writer.key("repeated")
            writer.uint(repeated)
        }
        writer.endObject()
        writer.endLine()
        sink.write(writer.take())
    }

    private func write(_ field: LogField, to writer: inout JSONWriter) {
        writer.key(field.name)
        switch field.value {
        case .text(let text):
            let safe = redactor.redact(text.span)?[...] ?? text
            let clipped = LogText.clipped(safe, to: Self.textLimit)
            writer.string(clipped.span)
        case .int(let value): writer.int(value)
        case .uint(let value): writer.uint(value)
        case .bool(let value): writer.bool(value)
        case .word(let value): writer.string(value)
        }
    }
}
