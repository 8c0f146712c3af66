/// A regular expression.
final class Pattern: Sendable {
    struct Failure: Error { var message: String }
    init(_ source: ArraySlice<UInt8>) throws(Failure) { throw Failure(message: "not supported yet") }
    func matches(_ text: Span<UInt8>) -> Bool { false }
    func cost(over count: Int) -> Int { count }
}
