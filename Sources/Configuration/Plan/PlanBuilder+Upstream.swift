import Bytes
import Cryptography
import Domain

extension PlanBuilder {
    /// `nil` only when the URL could not be read, which is an issue already.
    func upstream(_ named: Named<RawUpstream>) -> UpstreamPlan? {
        let raw = named.value
        checkTLS(named)
        checkBreaker(named)
        checkAddress(raw)
        guard let url = raw.url?.value else { return nil }
        let scheme: UpstreamPlan.Scheme = url.scheme == "https" ? .https : .http
        var plan = UpstreamPlan(
            name: named.name, scheme: scheme, host: url.authority.host,
            port: url.authority.port ?? (scheme == .https ? 443 : 80), basePath: url.path)
        plan.unixSocket = raw.socket
        plan.address = raw.address.map {
            UpstreamPlan.Address(host: $0.value.host, port: $0.value.port ?? plan.port)
        }
        plan.version = raw.version
        plan.timeouts = raw.timeouts
        plan.tls = tls(raw)
        plan.maxInFlight = raw.limits.maxInFlight
        plan.maxQueued = raw.limits.maxQueued
        plan.maxIdle = raw.limits.maxIdle
        plan.timeouts.queue = raw.limits.timeouts.queue
        plan.idleAge = raw.limits.idleAge
        plan.maxAnswerFields = raw.limits.maxAnswerFields
        plan.maxInterim = raw.limits.maxInterim
        plan.attach = attach(raw.attach, in: scopes.request(), eitherBody: true)
        if let proxy = raw.proxy { attach(proxy, to: &plan) }
        plan.files = [plan.tls.authorityFile, plan.tls.clientCertificate, plan.tls.clientKey].map { fileDigest($0) }
        warnOfClearText(named, plan)
        return plan
    }

    func reachability(_ raw: RawUpstream) -> ReachabilityPlan {
        var plan = raw.breaker
        plan.learnsClock = raw.learnsClock
        if let probe = raw.probe {
            plan.probePath = probe.path.map { Array($0.utf8) }
            plan.probeEvery = probe.every
            plan.probeTimeout = probe.timeout
        }
        return plan
    }

    /// With the files as seen from the config's folder.
    func tls(_ raw: RawUpstream) -> UpstreamPlan.TLS {
        var tls = raw.tls?.value ?? UpstreamPlan.TLS()
        tls.authorityFile = tls.authorityFile.map { FilePath.resolve($0, in: folder) }
        tls.clientCertificate = tls.clientCertificate.map { FilePath.resolve($0, in: folder) }
        tls.clientKey = tls.clientKey.map { FilePath.resolve($0, in: folder) }
        return tls
    }

    private func checkTLS(_ named: Named<RawUpstream>) {
        guard let cursor = named.value.tls?.cursor else { return }
        let tls = tls(named.value)
        if named.value.url?.value.scheme == "http" {
            cursor.report("has no effect on an http upstream", severity: .warning)
        } else if !tls.isVerified {
            (cursor.member("verify") ?? cursor).report(
                "anyone in between can read and change everything", hint: "add pins, or use ca_file instead",
                severity: .warning)
        }
        if (tls.clientKey == nil) != (tls.clientCertificate == nil) {
            cursor.report("client_certificate and client_key belong together")
        }
        for (path, key) in [(tls.authorityFile, "ca_file"), (tls.clientCertificate, "client_certificate")] {
            if let path { checkFile(path, cursor, key: key) { _ in nil } }
        }
        if let path = tls.clientKey {
            checkFile(path, cursor, key: "client_key") { secretSource.exposure(of: path, $0) }
        }
    }

    private func checkFile(_ path: String, _ section: Cursor, key: String, rule: (FileStatus) -> String?) {
        let cursor = section.member(key) ?? section
        do throws(FileFault) {
            var (bytes, status) = try FileReader.read(path, followsLink: true, limit: YAMLDocument.largestFile)
            fileDigests[path] = Digest.hash(.sha256, bytes.span)
            // One of them is a private key.
            for index in bytes.indices { bytes[index] = 0 }
            if let problem = rule(status) {
                cursor.report("\(Quoted.text(path)) \(problem)", hint: SecretSource.remedy(problem))
            }
        } catch {
            cursor.report("\(Quoted.text(path)): \(error.problem)")
        }
    }

    private func checkAddress(_ raw: RawUpstream) {
        guard let cursor = raw.address?.cursor else { return }
        if raw.socket != nil { cursor.report("socket and address exclude each other") }
        if raw.proxy?.value.url != nil {
            cursor.report("the proxy looks for the upstream itself", hint: "drop address")
        }
    }

    private func checkBreaker(_ named: Named<RawUpstream>) {
        guard named.value.breaker.wait > named.value.breaker.waitMax else { return }
        (named.cursor.member("breaker") ?? named.cursor).report("wait is longer than wait_max")
    }

    private func attach(_ proxy: Placed<RawProxy>, to plan: inout UpstreamPlan) {
        if let url = proxy.value.url {
            if !url.value.path.isEmpty { url.cursor.report("the URL of a proxy has no path") }
            let port = url.value.authority.port ?? (url.value.scheme == "http" ? 3128 : 1080)
            plan.proxy = "\(url.value.scheme)://\(url.value.authority.host):\(port)"
        }
        guard proxy.value.username != nil || proxy.value.password != nil else { return }
        guard let username = proxy.value.username, let password = proxy.value.password else {
            return proxy.cursor.report("username and password belong together")
        }
        _ = resolve(username, among: raw.secrets, what: "secret")
        _ = resolve(password, among: raw.secrets, what: "secret")
        guard let user = secretValues[username.value], let word = secretValues[password.value] else { return }
        var joined = user.withBytes { bytes in
            var copy: [UInt8] = []
            copy.append(copying: bytes)
            return copy
        }
        // RFC 7617 2: the first colon ends the name.
        if joined.contains(0x3A) { username.cursor.report("the user name holds a colon") }
        joined.append(0x3A)
        word.withBytes { joined.append(copying: $0) }
        plan.proxyCredentials = Secret(copying: joined.span)
        for index in joined.indices { joined[index] = 0 }
    }

    private func warnOfClearText(_ named: Named<RawUpstream>, _ plan: UpstreamPlan) {
        guard plan.scheme == .http, plan.unixSocket == nil, let url = named.value.url,
            !(named.value.address?.value ?? url.value.authority).isLoopback,
            raw.sessions.contains(where: { $0.value.upstream?.value == named.name })
        else { return }
        url.cursor.report("credentials travel unencrypted to another host", hint: "use https", severity: .warning)
    }
}
