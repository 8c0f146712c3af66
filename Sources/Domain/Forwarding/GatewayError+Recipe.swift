import Expressions

extension GatewayError {
    /// The client's request does not fit the route.
    package static func badRequest(_ detail: String) -> GatewayError { GatewayError(.badRequest, detail: detail) }

    /// A recipe of the config could not be evaluated over this request: it is refused, never half signed.
    /// What the request lacks is the client's to mend (400); what a recipe itself cannot do (a bad key, an overflow) is ours.
    static func recipe(_ place: String, _ error: EvaluationError) -> GatewayError {
        switch error.kind {
        case .noSuchKey, .indexOutOfRange, .noValue, .unavailable, .badConversion:
            GatewayError(.badRequest, detail: "\(place): \(error)", origin: .gateway)
        case .noSuchOverload, .overflow, .divisionByZero, .badArgument, .duplicateKey, .tooLarge, .budgetExceeded,
            .failed:
            GatewayError(.internal, detail: "\(place): \(error)")
        }
    }

    /// A recipe gave something that cannot be sent.
    static func recipe(_ detail: String) -> GatewayError { GatewayError(.internal, detail: detail) }
}
