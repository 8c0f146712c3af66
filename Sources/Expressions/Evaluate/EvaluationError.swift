/// Why an expression has no value. Tells names and types, never a value: a value may be a secret.
package struct EvaluationError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Sendable, Equatable {
        case noSuchKey, indexOutOfRange, noSuchOverload, overflow, divisionByZero
        case badConversion, badArgument, duplicateKey, noValue, tooLarge, budgetExceeded
        /// The host has no such thing at the moment; `subject` says what.
        case unavailable
        /// The host does not have it yet, or will never have it: nothing may be concluded from its absence. Unlike of what is
        /// not available, `has` and `?.` do not take it for missing.
        case pending
        /// A function of the host failed.
        case failed
    }

    package var kind: Kind
    /// A name from the source, names of types, or a constant text; may be empty.
    package var subject: String
    /// Byte offset into the source of the expression; -1 when it is not known.
    package var offset: Int

    package init(_ kind: Kind, _ subject: String = "", at offset: Int = -1) {
        self.kind = kind
        self.subject = subject
        self.offset = offset
    }

    package static func unavailable(_ what: String) -> EvaluationError { EvaluationError(.unavailable, what) }

    package static func pending(_ what: String) -> EvaluationError { EvaluationError(.pending, what) }

    static func argument(_ what: String) -> EvaluationError { EvaluationError(.badArgument, what) }

    static func overload(_ values: Value...) -> EvaluationError {
        EvaluationError(.noSuchOverload, values.map(\.typeName.name).joined(separator: ", "))
    }

    func located(at position: Int) -> EvaluationError {
        offset >= 0 ? self : EvaluationError(kind, subject, at: position)
    }

    package var description: String {
        let text =
            switch kind {
            case .noSuchKey: "no such key"
            case .indexOutOfRange: "index out of range"
            case .noSuchOverload: "no such overload"
            case .overflow: "overflow"
            case .divisionByZero: "division by zero"
            case .badConversion: "cannot convert"
            case .badArgument: "bad argument"
            case .duplicateKey: "duplicate key"
            case .noValue: "optional has no value"
            case .tooLarge: "too large"
            case .budgetExceeded: "too many steps (limits.steps)"
            case .unavailable, .pending: "not available"
            case .failed: "failed"
            }
        return subject.isEmpty ? text : "\(text): \(subject)"
    }
}
