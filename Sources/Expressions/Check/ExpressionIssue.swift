/// A problem found while an expression is parsed or checked.
package struct ExpressionIssue: Error, Equatable, Sendable, CustomStringConvertible {
    /// Byte offset into the source that was handed in (for a template: the whole template).
    package var offset: Int
    /// From 1.
    package var line: Int
    /// From 1, in code points.
    package var column: Int
    package var message: String
    /// What to do about it, such as "did you mean ...?"; `nil` when there is nothing to suggest.
    package var hint: String?
    /// The member of a partial object that is not there, where that is the problem.
    package var missing: Reference?

    init(_ message: String, hint: String? = nil, at offset: Int) {
        self.offset = offset
        self.line = 0
        self.column = 0
        self.message = message
        self.hint = hint
    }

    package var description: String {
        "\(line):\(column): \(message)" + (hint.map { "; \($0)" } ?? "")
    }

    /// Both, as one hint.
    package static func hints(_ first: String?, _ second: String) -> String {
        first.map { $0.hasSuffix("?") ? "\($0) \(second)" : "\($0); \(second)" } ?? second
    }

    func located(in source: [UInt8]) -> ExpressionIssue {
        var copy = self
        (copy.line, copy.column) = (1, 1)
        for byte in source.prefix(offset) {
            if byte == 0x0A {
                copy.line += 1
                copy.column = 1
            } else if byte & 0xC0 != 0x80 {
                copy.column += 1
            }
        }
        return copy
    }
}
