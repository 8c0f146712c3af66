package import HTTPWire

extension WireLimits {
    /// The limits of the config that the parser of request heads enforces.
    /// - Parameter routes: say which methods there are.
    package init(_ limits: GatewayLimits, _ routes: [RoutePlan]) {
        self.init()
        for case .other(let method) in routes.flatMap(\.methods) where !extensionMethods.contains(method) {
            extensionMethods.append(method)
        }
        requestLine = limits.requestLine
        head = limits.head
        fields = limits.fields
        nameBytes = limits.fieldName
    }
}
