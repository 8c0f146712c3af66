package import Bytes
import Cryptography
package import Expressions
import JSONBytes

/// DPoP proofs, RFC 9449 (`sessions.NAME.dpop`): each request shows that its sender holds the key which the token is bound
/// to.
package struct DPoPSigner: Sendable {
    package var algorithm: JOSE.Algorithm
    /// Private key: PEM or JWK.
    package var key: Template
    /// The access token that a proof is bound to (`ath`); `nil`: none.
    package var token: Template?

    package init(algorithm: JOSE.Algorithm, key: Template, token: Template?) {
        self.algorithm = algorithm
        self.key = key
        self.token = token
    }

    package static let fieldName = Array("DPoP".utf8)
    private static let useNonce = Array("use_dpop_nonce".utf8)

    /// Puts the proof in.
    /// - Parameter bindsToken: false while the token is only being asked for.
    package func sign(
        _ draft: RequestDraft, _ scope: ExchangeScope, bindsToken: Bool, recipe: String
    ) throws(GatewayError) {
        let key = try key.text(scope, recipe, "dpop key")
        var hash: [UInt8]?
        if bindsToken, let token {
            let text = try token.text(scope, recipe, "dpop token")
            hash = Self.accessTokenHash(text)
        }
        let claims = claims(draft, scope, hash)
        let proof: [UInt8]
        do throws(EvaluationError) {
            let header = try header(key)
            proof = try JOSE.compact(algorithm, key: key[...], header: header, payload: claims)
        } catch {
            throw GatewayError.recipe("\(recipe), dpop key", error, using: self.key.references)
        }
        scope.noteSigned(recipe, signature: proof, [("DPoP claims", claims)])
        draft.dropField(Self.fieldName)
        draft.fields.append(name: Self.fieldName, value: proof)
    }

    /// `ath`.
    package static func accessTokenHash(_ token: [UInt8]) -> [UInt8] {
        let hash = Digest.hash(.sha256, token.span)
        return Base64.encode(hash.span, alphabet: .url, padding: false)
    }

    private func header(_ key: [UInt8]) throws(EvaluationError) -> [UInt8] {
        let parsed = try KeyCache.shared.privateKey(key[...])
        let jwk = try JWK.canonical(parsed.publicKey)
        return Array("{\"typ\":\"dpop+jwt\",\"alg\":\"\(algorithm.rawValue)\",\"jwk\":".utf8) + jwk + [0x7D]
    }

    private func claims(_ draft: RequestDraft, _ scope: ExchangeScope, _ hash: [UInt8]?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        func add(_ name: StaticString, _ value: [UInt8]) {
            writer.key(name)
            writer.string(value.span)
        }
        add("jti", scope.nonceText())
        add("htm", draft.method)
        add("htu", OAuthBase.uri(draft))
        writer.key("iat")
        writer.int(scope.now.seconds)
        if let hash { add("ath", hash) }
        if let nonce = scope.dpopNonce { add("nonce", nonce) }
        writer.endObject()
        return writer.bytes
    }

    // MARK: The server's nonce

    /// `DPoP-Nonce` of an answer: the next proof has to carry it.
    package static func nonce(_ fields: PairBlock) -> [UInt8]? {
        fields.first("dpop-nonce", folding: true).map { Array($0) }
    }

    /// A resource server wants (another) nonce (RFC 9449 9).
    package static func wantsNonce(status: Int, fields: PairBlock) -> Bool {
        guard status == 401, nonce(fields) != nil,
            let text = fields.first("www-authenticate", folding: true)
        else { return false }
        return AuthenticateField.challenges(text).contains {
            $0.scheme == Array("dpop".utf8) && $0.value("error") == useNonce
        }
    }

    /// An authorization server wants one (RFC 9449 8): `{"error": "use_dpop_nonce"}`.
    package static func wantsNonce(status: Int, fields: PairBlock, body: [UInt8]) -> Bool {
        guard status == 400 || status == 401, nonce(fields) != nil else { return false }
        let error = (try? JSONDocument(parsing: body))?.root.member("error")?.string
        return error == useNonce || wantsNonce(status: status, fields: fields)
    }
}
