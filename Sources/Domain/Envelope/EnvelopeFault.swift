/// An expression of an envelope that had no value for an answer.
package struct EnvelopeFault: Sendable, Equatable {
    package enum Part: String, Sendable { case ok, code, message, data }
    package var part: Part
    /// Names and types, no value.
    package var reason: String
    package init(part: Part, reason: String) {
        self.part = part
        self.reason = reason
    }
}
