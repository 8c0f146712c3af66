// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let oauth2Dpop = #"""
        # OAuth 2.0 with proofs of possession (DPoP, RFC 9449): the token is of use only together with a key that the gateway holds.
        # Each request carries a proof; nonces that the servers ask for are learnt.
        #
        #   upstreams:
        #     api: {url: https://api.example.com, profile: oauth2-dpop}
        #   secrets: {client_id: {env: CLIENT_ID}, client_secret: {file: secrets/client}, proof_key: {file: secrets/dpop.pem}}
        #
        # A key: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256.
        profile: oauth2-dpop
        summary: OAuth 2.0 with DPoP - as oauth2, with a token that is bound to a key of the gateway.
        extends: oauth2

        parameters:
          proof_algorithm: {default: ES256, doc: "How proofs are signed: ES256, ES384, EdDSA, RS256 or PS256."}

        secrets:
          proof_key: "private key that signs the proofs (PEM or JWK)"

        session:
          dpop: {key: "${secret.proof_key}", algorithm: "{{proof_algorithm}}"}
          attach:
            header: {Authorization: "DPoP ${session.access_token}"}

        """#
}
