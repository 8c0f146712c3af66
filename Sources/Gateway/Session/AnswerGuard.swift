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
        // No spelling of a value is shorter than the value: most heads have no room for a token.
        made(scope, longest: fields.entries.reduce(0) { max($0, Int($1.valueCount)) })?.strip(from: &fields)
    }

    /// Whether the text repeats what the request went out with.
    func finds(_ credential: CredentialSnapshot?, in text: Span<UInt8>, _ scope: ExchangeScope) -> Bool {
        guard text.count >= AttachedCredentials.least else { return false }
        return !attached(credential, scope).ranges(in: text).isEmpty
            || made(scope, longest: text.count)?.ranges(in: text).isEmpty == false
    }

    /// What was made for this request alone; `nil`: nothing, or nothing that has room in so many bytes.
    private func made(_ scope: ExchangeScope, longest: Int) -> AttachedCredentials? {
        let made = places.made(for: scope.request, longest: longest)
        return made.isEmpty ? nil : AttachedCredentials(made)
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
