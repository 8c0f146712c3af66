import Testing

/// One after the other: deadlines are measured on two shared cores.
@Suite(.serialized) struct UpstreamTests {}

extension [UInt8] {
    init(_ text: String) { self = Array(text.utf8) }
    var text: String { String(decoding: self, as: UTF8.self) }
}
extension ArraySlice<UInt8> {
    var text: String { String(decoding: self, as: UTF8.self) }
}

/// For exit tests, whose bodies cannot throw.
func attempt(_ body: () throws -> Void) {
    do { try body() } catch { Issue.record(error) }
}
