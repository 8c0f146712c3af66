import Cryptography
import Domain

/// What a credential belongs to. A reload keeps the session, and a restart the stored one, while this stays the same;
/// whatever is not in here may change under a session.
extension PlanBuilder {
    /// What a session is logged in with. Not among them: what is done with the credential, when it counts as over, how
    /// long anybody waits, how it ends, what a person is told.
    static let loginKeys = ["login", "refresh", "seed", "oauth2", "token", "cookies", "dpop", "digest_auth"]

    /// The session, the servers that its login talks to and what they always get, the recipe with its signatures, the names
    /// of its captures (they are numbered), and the secrets in all this.
    func identity(_ session: Named<RawSession>, _ plan: SessionPlan) -> [UInt8] {
        let fingerprint = Fingerprint()
        fingerprint.add(session.name)
        for name in plan.captureNames { fingerprint.add(name) }
        var parts: [(name: String, node: YAMLNode)] = PlanBuilder.loginKeys.compactMap { key in
            session.cursor.member(key).map { (key, $0.node) }
        }
        for index in plan.loginUpstreams {
            add(upstream: index, to: fingerprint)
            if let attach = raw.upstreams[index].cursor.member("attach") { parts.append(("attach", attach.node)) }
        }
        let signatures = Set((plan.login + plan.renewal.refresh).flatMap(\.signatures).map(\.name))
        for signature in raw.signatures where signatures.contains(signature.name) {
            parts.append((signature.name, signature.cursor.node))
        }
        add(parts, to: fingerprint)
        return fingerprint.value
    }

    /// What a stored session belongs to. Nobody can gain a refresh token again by themselves: it outlives another recipe or
    /// client secret, as long as it goes to the same server and grew from the same seed.
    func storeBinding(_ session: Named<RawSession>, _ plan: SessionPlan, identity: [UInt8]) -> [UInt8] {
        guard let seed = session.cursor.member("seed"), !plan.hasFullLogin else { return identity }
        let fingerprint = Fingerprint()
        fingerprint.add(session.name)
        for index in plan.loginUpstreams { add(server: raw.upstreams[index].value, to: fingerprint) }
        add([("seed", seed.node)], to: fingerprint)
        return fingerprint.value
    }

    /// Keys of the file, and the secrets in them.
    private func add(_ parts: [(name: String, node: YAMLNode)], to fingerprint: Fingerprint) {
        var mentions = SecretMentions()
        for part in parts {
            fingerprint.add(part.name)
            fingerprint.add(part.node)
            mentions.look(at: part.node)
        }
        for secret in raw.secrets where mentions.contains(secret.name) {
            fingerprint.add(secret.name)
            if let value = secretValues[secret.name] { fingerprint.add(value) }
        }
    }

    /// Who is talked to, and as whom. Not how: through another proxy, over another version of HTTP or with other
    /// certificate authorities it is the same server still.
    private func add(upstream index: Int, to fingerprint: Fingerprint) {
        let raw = raw.upstreams[index].value
        add(server: raw, to: fingerprint)
        let tls = tls(raw)
        fingerprint.add(fileDigest(tls.clientCertificate))
        fingerprint.add(fileDigest(tls.clientKey))
    }

    private func add(server raw: RawUpstream, to fingerprint: Fingerprint) {
        if let url = raw.url?.value {
            let port = url.authority.port.map { ":\($0)" } ?? ""
            fingerprint.add("\(url.scheme)://\(url.authority.host)\(port)")
            fingerprint.add(url.path)
        }
        fingerprint.add(raw.socket ?? "")
        if let address = raw.address?.value {
            fingerprint.add("\(address.host):\(address.port.map { "\($0)" } ?? "")")
        }
    }

    /// Of a file that an upstream names, as it was read for this plan; empty for none. A renewed certificate lies under
    /// the old path.
    /// - Parameter path: as seen from the config's folder.
    func fileDigest(_ path: String?) -> [UInt8] { path.flatMap { fileDigests[$0] } ?? [] }
}
