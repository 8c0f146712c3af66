package import HTTPWire

extension WireLimits {
    /// The limits of the config that the parser of request heads enforces.
    package init(_ limits: GatewayLimits) {
        self.init()
        requestLine = limits.requestLine
        head = limits.head
        fields = limits.fields
        nameBytes = limits.fieldName
    }
}
