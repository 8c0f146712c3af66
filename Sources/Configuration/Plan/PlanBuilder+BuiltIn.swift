import Cryptography
import Domain
import Expressions

extension PlanBuilder {
    /// The built-in signatures of a recipe, in the order in which they are applied: digests of the body come first.
    func builtIns(_ named: Named<RawSignature>, in scope: Scope) -> [any RequestSigner] {
        let raw = named.value
        var signers: [any RequestSigner] = []
        if let digest = raw.digest {
            if digest.owned.isEmpty { named.reportName("digest names no field", hint: "content_digest: [sha-256]") }
            signers.append(digest)
        }
        if let aws = raw.aws, let signer = awsSigner(aws, in: scope) { signers.append(signer) }
        if let message = raw.message, let signer = messageSigner(message, in: scope) { signers.append(signer) }
        if let oauth = raw.oauth1, let signer = oauthSigner(oauth, in: scope) { signers.append(signer) }
        return signers
    }

    private func optional(_ cursor: Cursor?, in scope: Scope) -> Template? {
        cursor.flatMap { compiler.line($0, in: scope) }
    }

    private func awsSigner(_ placed: Placed<RawAWS>, in scope: Scope) -> AWSSigner? {
        let raw = placed.value
        let sessionToken = optional(raw.sessionToken, in: scope)
        guard let accessKey = optional(raw.accessKey, in: scope), let secretKey = optional(raw.secretKey, in: scope),
            let region = optional(raw.region, in: scope), let service = optional(raw.service, in: scope)
        else { return nil }
        LiteralCredential.check(raw.secretKey, secretKey)
        LiteralCredential.check(raw.sessionToken, sessionToken)
        var signer = AWSSigner(accessKey: accessKey, secretKey: secretKey, region: region, service: service)
        signer.sessionToken = sessionToken
        signer.omitsSessionToken = raw.omitsSessionToken
        signer.mode = raw.mode
        signer.isS3 = raw.isS3
        signer.isAsymmetric = raw.isAsymmetric
        signer.payload = raw.payload ?? (raw.isS3 && raw.mode == .query ? .unsigned : .signed)
        signer.normalizes = raw.normalizes ?? !raw.isS3
        signer.signsBodyHash = raw.signsBodyHash ?? (raw.isS3 && raw.mode == .header)
        signer.expires = raw.expires / 1_000_000_000
        signer.signedHeaders = raw.signedHeaders.map { Array($0.lowercased().utf8) }
        signer.chunkSize = raw.chunkSize
        signer.checksum = raw.checksum
        check(signer, placed.cursor)
        return signer
    }

    private func check(_ signer: AWSSigner, _ cursor: Cursor) {
        if signer.payload.isStreaming, !signer.isS3 {
            (cursor.member("payload") ?? cursor).report("only S3 takes a body in signed chunks", hint: "s3: true")
        }
        if signer.payload.isStreaming, signer.mode == .query {
            (cursor.member("payload") ?? cursor).report("a signed chunk needs the signature in the header")
        }
        if signer.payload.isStreaming, signer.payload != .streamingUnsignedTrailer, signer.isAsymmetric {
            (cursor.member("payload") ?? cursor).report(
                "signed chunks need the shared key of version 4", hint: "payload: streaming-unsigned-trailer")
        }
        if signer.expires == 0 || signer.expires > 604_800 {
            (cursor.member("expires") ?? cursor).report("from 1s to 168h", hint: "services take at most seven days")
        }
    }

    private func messageSigner(_ placed: Placed<RawMessageSignature>, in scope: Scope) -> MessageSigner? {
        let raw = placed.value
        let components = raw.components.compactMap { component($0) }
        var parameters: [NamedTemplate] = []
        for parameter in raw.parameters {
            guard let value = compiler.line(parameter.value, in: scope) else { continue }
            let first = parameter.name.utf8.first ?? 0
            let isKey = parameter.name.utf8.allSatisfy {
                $0 &- 0x61 < 26 || $0 &- 0x30 < 10 || "_-.*".utf8.contains($0)
            }
            if !isKey || !(first &- 0x61 < 26 || first == 0x2A) {
                parameter.reportName(
                    "not a parameter name", hint: "lower case: created, expires, nonce, keyid, alg, tag")
            }
            parameters.append(NamedTemplate(name: Array(parameter.name.utf8), value: value))
        }
        if raw.parameters.isEmpty, let now = try? Template(parsing: "${int(now)}", in: scope) {
            parameters.append(NamedTemplate(name: Array("created".utf8), value: now))
        }
        let label = raw.label.utf8
        if !label.allSatisfy({ $0 &- 0x61 < 26 || $0 &- 0x30 < 10 || "_-.*".utf8.contains($0) })
            || !(label.first.map { $0 &- 0x61 < 26 || $0 == 0x2A } ?? false)
        {
            (placed.cursor.member("label") ?? placed.cursor).report(
                "not a label", hint: "lower case letters, digits, -, _")
        }
        guard let algorithm = raw.algorithm, let key = raw.key, let template = compiler.template(key, in: scope)
        else { return nil }
        LiteralCredential.check(key, template)
        checkKey(key, template, for: algorithm.scheme)
        var signer = MessageSigner(
            algorithm: algorithm, key: template, components: components, parameters: parameters)
        signer.label = Array(raw.label.utf8)
        signer.keepsClients = raw.keepsClients
        return signer
    }

    private func component(_ placed: Placed<String>) -> MessageComponent? {
        do throws(MessageComponentError) {
            return try MessageComponent(parsing: placed.value)
        } catch {
            placed.cursor.report(error.text, hint: "like @method, content-digest or @query-param;name=\"a\"")
            return nil
        }
    }

    private func oauthSigner(_ placed: Placed<RawOAuth1>, in scope: Scope) -> OAuthSigner? {
        let raw = placed.value
        let values = [raw.consumerSecret, raw.token, raw.tokenSecret, raw.realm].map { optional($0, in: scope) }
        let privateKey = raw.privateKey.flatMap { compiler.template($0, in: scope) }
        let parameters = raw.parameters.compactMap { parameter in
            compiler.template(parameter.value, in: scope).map {
                NamedTemplate(name: Array(parameter.name.utf8), value: $0)
            }
        }
        guard let consumerKey = optional(raw.consumerKey, in: scope) else { return nil }
        LiteralCredential.check(raw.consumerSecret, values[0])
        LiteralCredential.check(raw.tokenSecret, values[2])
        LiteralCredential.check(raw.privateKey, privateKey)
        var signer = OAuthSigner(consumerKey: consumerKey)
        (signer.consumerSecret, signer.token, signer.tokenSecret) = (values[0], values[1], values[2])
        (signer.realm, signer.privateKey) = (values[3], privateKey)
        (signer.method, signer.placement) = (raw.method, raw.placement)
        (signer.sendsVersion, signer.parameters) = (raw.sendsVersion, parameters)
        let isRSA = raw.method == .rsaSHA1 || raw.method == .rsaSHA256
        if isRSA { checkKey(raw.privateKey, privateKey, for: .rsaPKCS1(raw.method == .rsaSHA1 ? .sha1 : .sha256)) }
        if isRSA, privateKey == nil {
            placed.cursor.report("private_key is missing", hint: "\(raw.method.rawValue) signs with a key")
        }
        if raw.placement != .header, let realm = raw.realm { realm.report("only the header has a realm") }
        return signer
    }
}
