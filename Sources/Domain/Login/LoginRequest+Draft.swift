import Bytes
import Expressions

extension LoginRequest {
    /// The request of one step as it goes onto the wire: values, fields and body, the upstream's common fields, cookies, the
    /// signatures, the proof.
    /// - Parameters:
    ///   - captures: What the steps before have captured.
    ///   - place: The step in words, for errors.
    static func draft(
        _ recipe: LoginStep, _ scope: ExchangeScope, session: SessionPlan, upstream: UpstreamPlan,
        captures: MemberList, jar: CookieJar, place: String
    ) throws(GatewayError) -> RequestDraft {
        let draft = LoginRun.emptyDraft
        scope.request = draft
        scope.response = nil
        scope.session = captures
        scope.cookies = SessionCookies(jar: jar, site: CookieSite(upstream))
        do {
            try setVariables(recipe, scope)
            try fill(draft, recipe, scope)
        } catch {
            throw GatewayError(.internal, detail: "\(place) of session \(session.name): \(error)")
        }
        let common = upstream.attach.fitting(draft).missing(in: draft)
        try Attacher.attach(common, to: draft, scope, recipe: "upstream \(upstream.name)")
        if !upstream.basePath.isEmpty { draft.path = upstream.basePath + draft.path }
        draft.host = Array(upstream.authority.utf8)
        draft.isSecure = upstream.scheme == .https
        scope.cookies?.attach(to: draft, wall: scope.now.seconds)
        try Signer.sign(draft, with: recipe.signatures, scope)
        if let dpop = session.dpop {
            try dpop.sign(draft, scope, bindsToken: false, recipe: "session \(session.name)")
        }
        return draft
    }
}
