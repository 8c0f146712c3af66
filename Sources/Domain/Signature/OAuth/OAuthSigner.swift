import Bytes
import Cryptography
package import Expressions

/// OAuth 1.0a, RFC 5849 (`signatures.NAME.oauth1`).
package struct OAuthSigner: RequestSigner {
    package enum Method: String, Sendable, CaseIterable {
        case hmacSHA1 = "HMAC-SHA1"
        case hmacSHA256 = "HMAC-SHA256"
        case rsaSHA1 = "RSA-SHA1"
        case rsaSHA256 = "RSA-SHA256"
        case plaintext = "PLAINTEXT"
    }

    /// RFC 5849 3.5.
    package enum Placement: String, Sendable, CaseIterable { case header, form, query }

    package var consumerKey: Template
    /// Needed by HMAC and PLAINTEXT.
    package var consumerSecret: Template?
    /// `nil`: the client alone signs (RFC 5849 3.1).
    package var token: Template?
    package var tokenSecret: Template?
    /// Needed by RSA-SHA1.
    package var privateKey: Template?
    package var method = Method.hmacSHA1
    package var placement = Placement.header
    /// In the header only, and not signed.
    package var realm: Template?
    /// `oauth_version="1.0"` is sent.
    package var sendsVersion = true
    package var parameters: [NamedTemplate] = []

    package init(consumerKey: Template) { self.consumerKey = consumerKey }

    package var body: BodyNeed { .form }

    package var owned: [OwnedName] {
        var names = [OwnedName(.header, "Authorization")]
        let protocolNames =
            [
                "oauth_consumer_key", "oauth_token", "oauth_signature_method", "oauth_timestamp", "oauth_nonce",
                "oauth_version", "oauth_signature",
            ].map { Array($0.utf8) } + parameters.map(\.name)
        for name in protocolNames { names += [OwnedName(.query, name), OwnedName(.form, name)] }
        return names
    }

    package func sign(_ draft: RequestDraft, _ scope: ExchangeScope, recipe: String) throws(GatewayError) {
        var pairs = try protocolPairs(scope, recipe)
        let base = OAuthBase.text(method: draft.method, uri: OAuthBase.uri(draft), pairs: try all(pairs, draft, recipe))
        let signature = try signature(over: base, scope, recipe)
        scope.noteSigned(recipe, signature: signature, [("string to sign", base)])
        pairs.append((Array("oauth_signature".utf8), signature))
        try place(pairs, draft, scope, recipe)
    }

    private func protocolPairs(_ scope: ExchangeScope, _ recipe: String) throws(GatewayError) -> [OAuthBase.Pair] {
        var pairs: [OAuthBase.Pair] = []
        func add(_ name: String, _ value: [UInt8]) { pairs.append((Array(name.utf8), value)) }
        add("oauth_consumer_key", try consumerKey.text(scope, recipe, "consumer_key"))
        if let token { add("oauth_token", try token.text(scope, recipe, "token")) }
        add("oauth_signature_method", Array(method.rawValue.utf8))
        var time: [UInt8] = []
        time.append(decimal: scope.now.seconds)
        // PLAINTEXT needs neither (3.1), and both do no harm.
        add("oauth_timestamp", time)
        add("oauth_nonce", scope.nonceText())
        if sendsVersion { add("oauth_version", Array("1.0".utf8)) }
        for parameter in parameters {
            let name = String(decoding: parameter.name, as: UTF8.self)
            pairs.append((parameter.name, try parameter.value.text(scope, recipe, "parameter \(name)")))
        }
        return pairs
    }

    /// With those of the query, and of the body when it is a form (3.4.1.3.1).
    private func all(
        _ pairs: [OAuthBase.Pair], _ draft: RequestDraft, _ recipe: String
    ) throws(GatewayError) -> [OAuthBase.Pair] {
        var pairs = pairs
        func add(_ block: PairBlock) {
            for index in 0..<block.count { pairs.append((Array(block.name(at: index)), Array(block.value(at: index)))) }
        }
        if let query = draft.query { add(Percent.pairs(query.span)) }
        guard draft.isForm else { return pairs }
        switch draft.content {
        case .none: break
        case .held(let body): add(Percent.pairs(body.span))
        case .streamed: throw GatewayError.recipe("\(recipe): the form is streamed and cannot be signed")
        }
        return pairs
    }

    private func signature(
        over base: [UInt8], _ scope: ExchangeScope, _ recipe: String
    ) throws(GatewayError) -> [UInt8] {
        switch method {
        case .plaintext: return try key(scope, recipe)
        case .hmacSHA1, .hmacSHA256:
            let key = try key(scope, recipe)
            let mac = HMAC.authenticate(method == .hmacSHA1 ? .sha1 : .sha256, key: key.span, message: base.span)
            return Base64.encode(mac.span)
        case .rsaSHA1, .rsaSHA256:
            let key = try privateKey?.text(scope, recipe, "private_key") ?? []
            let raw = try SigningKey.sign(base, key, .rsaPKCS1(method == .rsaSHA1 ? .sha1 : .sha256), recipe)
            return Base64.encode(raw.span)
        }
    }

    private func key(_ scope: ExchangeScope, _ recipe: String) throws(GatewayError) -> [UInt8] {
        var key: [UInt8] = []
        let secret = try consumerSecret?.text(scope, recipe, "consumer_secret") ?? []
        Percent.encode(secret.span, into: &key)
        key.append(0x26)
        let other = try tokenSecret?.text(scope, recipe, "token_secret") ?? []
        Percent.encode(other.span, into: &key)
        return key
    }

    private func place(
        _ pairs: [OAuthBase.Pair], _ draft: RequestDraft, _ scope: ExchangeScope, _ recipe: String
    ) throws(GatewayError) {
        switch placement {
        case .header:
            var value = Array("OAuth ".utf8)
            if let realm {
                let text = try realm.text(scope, recipe, "realm")
                guard text.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) else {
                    throw GatewayError.recipe("\(recipe), realm: not plain text", using: realm.references)
                }
                value.append(contentsOf: Array("realm=\"".utf8) + text + Array("\", ".utf8))
            }
            for (index, pair) in pairs.enumerated() {
                if index > 0 { value.append(contentsOf: [0x2C, 0x20]) }
                Percent.encode(pair.name.span, into: &value)
                value.append(contentsOf: [0x3D, 0x22])
                Percent.encode(pair.value.span, into: &value)
                value.append(0x22)
            }
            draft.fields.append(name: Array("Authorization".utf8), value: value)
        case .query: draft.appendToQuery(Self.encoded(pairs))
        case .form: try Attacher.addForm(Attacher.joined(draft.heldForm, Self.encoded(pairs)), to: draft)
        }
    }

    private static func encoded(_ pairs: [OAuthBase.Pair]) -> [UInt8] {
        var text: [UInt8] = []
        for pair in pairs {
            PairText.append(name: pair.name.span, value: pair.value.span, spaceIsPlus: false, to: &text)
        }
        return text
    }
}

/// The signature base string of RFC 5849 3.4.1.
package enum OAuthBase {
    package typealias Pair = (name: [UInt8], value: [UInt8])

    /// `METHOD&uri&parameters`, each encoded once more.
    package static func text(method: [UInt8], uri: [UInt8], pairs: [Pair]) -> [UInt8] {
        var block = PairBlock()
        for pair in pairs { block.append(name: pair.name, value: pair.value) }
        return method.map(ASCII.upper) + [0x26] + encode(uri) + [0x26] + encode(PairText.canonical(block))
    }

    /// Scheme and host in lower case, no default port, no query (3.4.1.2).
    static func uri(_ draft: RequestDraft) -> [UInt8] {
        var host = draft.host.map(ASCII.lower)
        let port = Array((draft.isSecure ? ":443" : ":80").utf8)
        if host.count > port.count, host.suffix(port.count).elementsEqual(port) { host.removeLast(port.count) }
        return Array("\(draft.scheme)://".utf8) + host + (draft.path.isEmpty ? [0x2F] : draft.path)
    }

    private static func encode(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count + text.count / 4)
        Percent.encode(text.span, into: &output)
        return output
    }
}
