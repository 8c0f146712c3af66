import JSONBytes
import Observability

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
func utf8(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// Keeps what was written, one entry per write.
final class MemorySink: LogSink {
    var writes: [[UInt8]] = []
    func write(_ bytes: [UInt8]) { writes.append(bytes) }

    var all: String { utf8(writes.joined()) }
    /// The lines; each must be a JSON object.
    func lines() throws -> [JSONValue] {
        let all = Array(writes.joined())
        precondition(all.isEmpty || all.last == 0x0A)
        return try all.split(separator: 0x0A).map { try JSONDocument(parsing: Array($0)).root }
    }
}

/// A clock that tests move.
final class ManualClock {
    var now: UInt64
    init(_ now: UInt64 = 1_796_015_754_123_456_789) { self.now = now }
}

extension JSONValue {
    func string(_ key: String) -> String? { member(bytes(key).span)?.string.map { utf8($0) } }
    func int(_ key: String) -> Int64? { member(bytes(key).span)?.int64 }
    func raw(_ key: String) -> String? { member(bytes(key).span).map { utf8($0.raw) } }
    var keys: [String] { members.map { utf8($0.key.text ?? []) } }
}
