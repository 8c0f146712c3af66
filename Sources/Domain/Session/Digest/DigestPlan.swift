import Bytes
package import Expressions

/// `sessions.NAME.digest_auth`: user name and password for HTTP Digest.
package struct DigestPlan: Sendable {
    package var username: Template
    package var password: Template

    package init(username: Template, password: Template) {
        self.username = username
        self.password = password
    }

    /// Puts the `Authorization` field in, when there is a challenge to answer. The last edit: it covers the target.
    /// - Returns: what to remember of it; `nil`: nothing was put in.
    package func authorize(
        _ draft: RequestDraft, _ scope: ExchangeScope, _ state: inout DigestSession, recipe: String
    ) throws(GatewayError) -> DigestSent? {
        guard state.nonce != nil else { return nil }
        var body: [UInt8] = []
        switch draft.content {
        case .none: break
        case .held(let bytes): body = bytes
        case .streamed:
            guard !state.readsBody else {
                throw GatewayError.badRequest(
                    "\(recipe): the upstream wants the body digested; it is too large to be held")
            }
        }
        let (user, secret) = (
            try username.text(scope, recipe, "username"), try password.text(scope, recipe, "password")
        )
        guard
            let (value, sent) = state.authorization(
                username: user, password: secret, method: draft.method, uri: draft.target, body: body,
                cnonce: scope.nonceText())
        else { return nil }
        draft.dropField(Array("authorization".utf8))
        draft.fields.append(name: Array("Authorization".utf8), value: value)
        return sent
    }
}
