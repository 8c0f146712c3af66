import Bytes
import Domain

/// Keeps a session's credential out of the header fields of answers. What to look for is worked out once for each
/// credential.
final class AnswerGuard {
    private let plan: SessionPlan
    private var known: (credential: CredentialSnapshot, attached: AttachedCredentials)?

    init(_ plan: SessionPlan) { self.plan = plan }

    func strip(_ credential: CredentialSnapshot, from fields: inout PairBlock, _ scope: ExchangeScope) {
        let cookies = plan.keepsCookies ? scope.cookies?.jar.values ?? [] : []
        attached(credential, scope.surroundings).strip(from: &fields, and: cookies)
    }

    private func attached(_ credential: CredentialSnapshot, _ surroundings: Surroundings) -> AttachedCredentials {
        if let known, known.credential === credential { return known.attached }
        let attached = AttachedCredentials(plan, credential, surroundings)
        known = (credential, attached)
        return attached
    }
}
