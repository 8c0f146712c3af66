extension GatewayError {
    /// The client's request does not fit the route.
    package static func badRequest(_ detail: String) -> GatewayError { GatewayError(.badRequest, detail: detail) }

    /// A recipe of the config could not be evaluated over this request: it is refused, never half signed.
    static func recipe(_ detail: String) -> GatewayError { GatewayError(.badRequest, detail: detail, origin: .gateway) }
}
