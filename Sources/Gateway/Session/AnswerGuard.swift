import Bytes
import Domain

/// Keeps a session's credential out of the header fields of answers. What to look for is worked out once for each
/// credential and what the jar holds with it.
final class AnswerGuard {
    private let plan: SessionPlan
    private var known: (credential: CredentialSnapshot, cookies: [[UInt8]], attached: AttachedCredentials)?

    init(_ plan: SessionPlan) { self.plan = plan }

    func strip(_ credential: CredentialSnapshot, from fields: inout PairBlock, _ scope: ExchangeScope) {
        attached(credential, scope).strip(from: &fields)
    }

    /// What the session attaches with this credential.
    func attached(
        _ credential: CredentialSnapshot, _ scope: ExchangeScope
    ) -> AttachedCredentials {
        let cookies = plan.keepsCookies ? scope.cookies?.jar.values ?? [] : []
        if let known, known.credential === credential, known.cookies == cookies { return known.attached }
        let attached = AttachedCredentials(plan, credential, scope.surroundings, and: cookies)
        known = (credential, cookies, attached)
        return attached
    }
}
