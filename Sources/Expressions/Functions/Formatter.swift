enum Formatter {
    static func format(_ text: ArraySlice<UInt8>, _ arguments: [Value]) throws(EvaluationError) -> Value {
        throw EvaluationError(.failed)
    }
}
