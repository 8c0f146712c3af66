import Expressions

extension GatewayError {
    /// The client's request does not fit the route.
    package static func badRequest(_ detail: String) -> GatewayError { GatewayError(.badRequest, detail: detail) }

    /// A recipe of the config could not be evaluated over this request: it is refused, never half signed.
    /// What the request lacks, or holds and should not, is the client's to mend (400); what no request can cause (a bad
    /// key, a clock out of range) is ours.
    /// - Parameters:
    ///   - names: that the recipe uses.
    ///   - failed: names that the call was given that failed, where that is known.
    static func recipe(
        _ place: String, _ error: EvaluationError, using names: Set<Reference>, failed: Set<String>? = nil
    ) -> GatewayError {
        // A constant or a secret that does not fit is nobody's to mend but the config's.
        if let failed, error.kind != .budgetExceeded, failed.isSubset(of: ["secret", "now", "nonce", "device"]) {
            return GatewayError(.internal, detail: "\(place): \(error)")
        }
        switch error.kind {
        case .noSuchKey, .indexOutOfRange, .noValue, .unavailable, .pending, .badConversion:
            return GatewayError(.badRequest, detail: "\(place): \(error)", origin: .gateway)
        case .budgetExceeded where names.contains(where: \.mayBeClients):
            return GatewayError(.tooLarge, detail: "\(place): \(error)", origin: .gateway)
        case .noSuchOverload, .overflow, .divisionByZero, .badArgument, .duplicateKey, .tooLarge, .budgetExceeded,
            .failed:
            return recipe("\(place): \(error)", using: names)
        }
    }

    /// A template gave something that cannot be sent, or nothing.
    static func recipe(_ detail: String, using names: Set<Reference>) -> GatewayError {
        let isClients = names.contains(where: \.mayBeClients)
        return GatewayError(isClients ? .badRequest : .internal, detail: detail, origin: .gateway)
    }

    /// A recipe gave something that cannot be sent, whatever the client sent.
    static func recipe(_ detail: String) -> GatewayError { GatewayError(.internal, detail: detail) }
}

extension Reference {
    /// What it stands for may hold bytes that the client chose. Variables count: they are mostly made of the request.
    fileprivate var mayBeClients: Bool { ["request", "vars", "value"].contains(name) }
}
