/// Where the values of the names in a `Scope` come from.
package protocol EvaluationContext: AnyObject {
    /// Value of `scope.names[index]`; asked only when the expression needs it, possibly more than once.
    func value(at index: Int) throws(EvaluationError) -> Value

    /// Asked only by expressions that were compiled with `FunctionTable.recording(to:)`. Default: `nil`.
    var trail: SecretTrail? { get }
}

extension EvaluationContext {
    package var trail: SecretTrail? { nil }
}

/// The context of constants.
final class EmptyContext: EvaluationContext {
    func value(at index: Int) throws(EvaluationError) -> Value { throw EvaluationError(.unavailable) }
}
