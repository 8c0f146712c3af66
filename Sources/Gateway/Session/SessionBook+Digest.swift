import Domain

/// HTTP Digest of a session.
extension SessionBook {
    /// Answers the upstream's challenge in a finished draft; tells what it goes out with.
    func answerChallenge(
        _ draft: RequestDraft, _ scope: ExchangeScope, _ plan: DigestPlan, id: UInt64
    ) throws(GatewayError) -> DigestSent? { try digest.authorize(draft, scope, plan, id: id) }

    /// What an answer says about HTTP Digest.
    func digestAnswered(_ head: UpstreamHead, sent: DigestSent?, id: UInt64) -> DigestSession.Verdict {
        guard plan.digest != nil else { return .pass }
        let wasRefused = digest.state.refusal != nil
        let verdict = digest.answered(head, sent: sent, id: id)
        if !wasRefused, let refusal = digest.state.refusal { worker.sessionChanged(self, .refused(refusal)) }
        return verdict
    }

    /// Why nothing is tried any more.
    var digestRefusal: GatewayError? { plan.digest == nil ? nil : digest.state.refusal }
}
