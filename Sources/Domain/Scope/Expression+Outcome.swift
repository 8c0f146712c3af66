import Expressions

extension Expression {
    /// The value or the error as one thing. (The compiler of Swift 6.3.1 stops with "instruction does not dominate all
    /// uses" where a `Value` and two typed errors meet in one function.)
    func outcome(_ context: any EvaluationContext) -> Result<Value, EvaluationError> {
        do {
            return .success(try evaluate(context))
        } catch {
            return .failure(error)
        }
    }
}
