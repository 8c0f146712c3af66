import Domain
import HTTPWire
import Observability

/// Challenges that are answered by sending the same request again: HTTP Digest, and DPoP's nonce.
extension Exchange {
    /// One for the challenge; under many requests at once a nonce may go stale several times, and each time the upstream
    /// says so.
    private static let mostDigests = 5
    /// A server's first nonce, and one that expired meanwhile.
    private static let mostProofs = 2

    /// True when the answer is not for the client: the request goes out again, or fails.
    func challengeAnswered(_ head: UpstreamHead) -> Bool {
        guard let session = route?.session, credential != nil else { return false }
        if route?.sessionPlan?.dpop != nil {
            if let nonce = DPoPSigner.nonce(head.fields) { session.dpopNonce = nonce }
            if DPoPSigner.wantsNonce(status: head.status, fields: head.fields) { return replay(most: Self.mostProofs) }
        }
        switch session.digestAnswered(head, sent: digestSent, id: id) {
        case .pass: return false
        case .passUnproven:
            worker.metrics.digestUnproven(session.plan.name)
            worker.log.repeated(
                .warning, "the upstream did not prove that it knows the password (rspauth)",
                about: Array(session.plan.name.utf8), [.text("session", session.plan.name)])
            return false
        case .replay: return replay(most: Self.mostDigests)
        case .refused:
            guard let refusal = session.digestRefusal else { return false }
            record.sawExpiry = true
            dropTransfer()
            fail(refusal)
            return true
        }
    }

    /// False when it cannot be sent again: the answer is the client's then.
    private func replay(most: Int) -> Bool {
        guard isReplayable, challengeReplays < most else { return false }
        challengeReplays += 1
        if let route { worker.metrics.replayed(route) }
        discardAnswer()
        proceed()
        return true
    }
}
