package import HTTPWire

extension GatewayError {
    /// A request that HTTP's rules or our limits refuse. The reason is a constant word, never bytes of the peer.
    package init(_ refusal: WireRefusal) {
        self.init(refusedWith: refusal.status, detail: refusal.reason.rawValue, closesConnection: refusal.close)
        if refusal.reason == .refusedMethod { allow = Array(RequestMethod.allow.utf8) }
    }
}
