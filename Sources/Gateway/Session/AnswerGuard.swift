import Bytes
import Domain

/// Keeps the credentials of a route's requests out of the header fields of answers. What to look for is worked out once for
/// each credential and what the jar holds with it; only what a signature makes anew is, too.
final class AnswerGuard {
    private let places: CredentialSources
    private let keepsCookies: Bool
    private var known: (credential: CredentialSnapshot?, cookies: [[UInt8]], attached: AttachedCredentials)?

    /// `nil` where requests go out without any.
    init?(_ places: CredentialSources, _ session: SessionPlan?) {
        self.places = places
        keepsCookies = session?.keepsCookies ?? false
        if places.isEmpty, !keepsCookies { return nil }
    }

    func strip(_ credential: CredentialSnapshot?, from fields: inout PairBlock, _ scope: ExchangeScope) {
        attached(credential, scope).strip(from: &fields)
        let made = places.made(for: scope.request, answeredWith: fields)
        if !made.isEmpty { AttachedCredentials(made).strip(from: &fields) }
    }

    /// What goes out with this credential, whatever the request.
    func attached(_ credential: CredentialSnapshot?, _ scope: ExchangeScope) -> AttachedCredentials {
        let cookies = keepsCookies && credential != nil ? scope.cookies?.jar.values ?? [] : []
        if let known, known.credential === credential, known.cookies == cookies { return known.attached }
        let attached = AttachedCredentials(places, credential, scope.surroundings, and: cookies)
        known = (credential, cookies, attached)
        return attached
    }
}
