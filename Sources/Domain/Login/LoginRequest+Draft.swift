import Bytes
import Expressions

extension LoginRequest {
    /// The request of one step as it goes onto the wire: values, fields and body, the upstream's common fields, cookies, the
    /// signatures, the proof.
    /// - Parameters:
    ///   - captures: What the steps before have captured.
    ///   - place: The step in words, for errors.
    ///   - attachesSession: It goes out under a credential, with what the session attaches.
    static func draft(
        _ recipe: LoginStep, _ scope: ExchangeScope, session: SessionPlan, upstream: UpstreamPlan,
        captures: any HostObject, jar: CookieJar, place: String,
        attachesSession: Bool = false
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
        let plans = (attachesSession ? [session.attach] : []) + recipe.signatures.map(\.attach)
        // As with a client's request: what is attached is there once.
        OwnedFields(plans, recipe.signatures.flatMap(\.builtIns).flatMap(\.owned)).dropPairs(from: draft)
        let common = upstream.attach.yielding(to: plans).fitting(draft).missing(in: draft)
        try Attacher.attach(common, to: draft, scope, recipe: "upstream \(upstream.name)")
        if !upstream.basePath.isEmpty { draft.path = upstream.basePath + draft.path }
        draft.host = Array(upstream.authority.utf8)
        draft.isSecure = upstream.scheme == .https
        scope.cookies?.attach(to: draft, wall: scope.now.seconds)
        if attachesSession {
            try Attacher.attach(session.attach, to: draft, scope, recipe: "session \(session.name)")
        }
        let own = scope.variables.values
        try Signer.sign(draft, with: recipe.signatures, scope)
        // What reads the answer knows the step's variables, not those of its signatures.
        scope.variables.replace(with: own)
        if let dpop = session.dpop {
            try dpop.sign(draft, scope, bindsToken: attachesSession, recipe: "session \(session.name)")
        }
        return draft
    }
}

extension RequestDraft {
    /// As it goes onto the wire. What the gateway itself asks is never sent twice, so that it always gets a fresh connection:
    /// it is rare, and a login that meets a dead one would cost all who wait for it a pause.
    var finished: UpstreamRequest {
        var body = UpstreamRequest.Body.none
        if case .held(let bytes) = content { body = .bytes(bytes) }
        return UpstreamRequest(
            method: method, target: target, fields: fields, body: body, isIdempotent: false, wantsFreshConnection: true)
    }
}
