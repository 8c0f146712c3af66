import Domain
import HTTPWire

/// Answers that are signed: one that is not the upstream's own comes no further than here.
extension Exchange {
    /// False when the client was told so instead.
    func isGenuine(_ head: UpstreamHead, body: [UInt8]) -> Bool {
        guard let route, !route.verifying.isEmpty, let scope else { return true }
        scope.response = ResponseView(whole: head, body: body)
        // Each test that follows makes a view of its own.
        defer { scope.response = nil }
        for envelope in route.verifying {
            do {
                try envelope.verify(scope, limit: Int(clamping: route.plan.limits.inspect))
            } catch {
                worker.envelopeErred([error], envelope, route)
                dropTransfer()
                fail(envelope.forged)
                return false
            }
        }
        return true
    }
}
