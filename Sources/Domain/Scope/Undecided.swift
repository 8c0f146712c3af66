package import Expressions

/// The body of an answer decides, and it is still to come.
package struct Undecided: Error {}

extension Expression {
    /// The value over the answer in the scope; `nil` when it errs (a field is missing, the body is no JSON) or reads a body
    /// that never comes.
    /// - Throws: when the head alone gives no value, and the body may give one.
    package func settled(_ scope: ExchangeScope) throws(Undecided) -> Value? {
        do throws(EvaluationError) {
            return try attempt(scope)
        } catch {
            if error.kind == .pending, scope.response?.awaitsBody == true { throw Undecided() }
            return nil
        }
    }
}
