/// An expression of an envelope that had no value for an answer. What is told instead is the business of its part.
package struct EnvelopeFault: Error, Sendable, Equatable {
    package enum Part: String, Sendable {
        /// The answer is told by its status.
        case open, ok
        /// Told as absent.
        case code, message, data
        /// A field of the rendering: the standard envelope is told.
        case render
    }
    package var part: Part
    /// Of the rendering.
    package var field: String?
    /// Names and types, no value.
    package var reason: String
    package init(part: Part, field: String? = nil, reason: String) {
        self.part = part
        self.field = field
        self.reason = reason
    }

    /// As in the config: `code`, `render.id`.
    package var name: String { field.map { "\(part.rawValue).\($0)" } ?? part.rawValue }
}
