// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let oauth2JwtBearer = #"""
        # OAuth 2.0 JWT bearer (RFC 7523): a service account signs an assertion with its own key, and gets a token for it.
        #
        #   upstreams:
        #     api: {url: https://api.example.com, profile: {name: oauth2-jwt-bearer, with: {issuer: svc@example.com}}}
        #   secrets: {private_key: {file: secrets/service-account.pem}}
        #
        # Claims beside iss, sub, aud, iat, exp and jti (some servers want the scope among them):
        # sessions: {api: {oauth2: {claims: {scope: read}}}}.
        profile: oauth2-jwt-bearer
        summary: OAuth 2.0 JWT bearer - as oauth2, for a service account that signs its own assertions.
        extends: oauth2

        parameters:
          issuer: {doc: "iss of the assertions: who signs them."}
          subject: {default: "", doc: "sub of the assertions: whose account it is; the issuer's without it."}
          key_id: {default: "", doc: "kid of the assertions, where the server wants one."}
          audience_url: {default: "", doc: "aud of the assertions; the token endpoint's URL without it."}
          algorithm: {default: RS256, doc: "Signature of the assertions, like RS256, ES256 or EdDSA."}
          client_auth: {default: none}

        secrets:
          client_id: null
          client_secret: null
          private_key: "private key of the account (PEM, DER or JWK)"

        session:
          oauth2:
            grant: jwt_bearer
            client_id: null
            client_secret: null
            private_key: ${secret.private_key}
            algorithm: "{{algorithm}}"
            key_id: "{{key_id}}"
            issuer: "{{issuer}}"
            subject: "{{subject}}"
            audience_url: "{{audience_url}}"

        """#
}
