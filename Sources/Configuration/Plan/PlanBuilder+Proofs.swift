import Domain
import Expressions

extension PlanBuilder {
    func digest(_ placed: Placed<RawDigestAuth>?, captures: [String]) -> DigestPlan? {
        let scope = scopes.request(captures: captures)
        guard let raw = placed?.value, let username = raw.username.flatMap({ compiler.line($0, in: scope) }),
            let password = raw.password.flatMap({ compiler.line($0, in: scope) })
        else { return nil }
        LiteralCredential.check(raw.password, password)
        return DigestPlan(username: username, password: password)
    }

    func dpop(_ placed: Placed<RawDPoP>?, captures: [String]) -> DPoPSigner? {
        let scope = scopes.request(captures: captures)
        guard let raw = placed?.value, let key = raw.key.flatMap({ compiler.template($0, in: scope) }) else {
            return nil
        }
        LiteralCredential.check(raw.key, key)
        checkKey(raw.key, key, for: raw.algorithm)
        var token = raw.token.flatMap { compiler.line($0, in: scope) }
        if raw.token == nil, captures.contains("access_token") {
            token = try? Template(parsing: "${session.access_token}", in: scope)
        }
        return DPoPSigner(algorithm: raw.algorithm, key: key, token: token)
    }
}
