// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let oauth2PrivateKey = #"""
        # OAuth 2.0 client credentials of a client that signs an assertion instead of sending a secret (private_key_jwt, RFC 7523 2.2).
        #
        #   upstreams:
        #     api: {url: https://api.example.com, profile: {name: oauth2-private-key, with: {key_id: k1}}}
        #   secrets: {client_id: {env: CLIENT_ID}, private_key: {file: secrets/client.pem}}
        profile: oauth2-private-key
        summary: OAuth 2.0 client credentials with a key - as oauth2, for a client that proves itself by a signed assertion.
        extends: oauth2

        parameters:
          key_id: {default: "", doc: "kid of the assertions, where the server wants one."}
          audience_url: {default: "", doc: "aud of the assertions; the token endpoint's URL without it."}
          algorithm: {default: RS256, doc: "Signature of the assertions, like RS256, ES256 or EdDSA."}
          client_auth: {default: private_key_jwt}

        secrets:
          client_secret: null
          private_key: "private key of the client (PEM, DER or JWK)"

        session:
          oauth2:
            client_secret: null
            private_key: ${secret.private_key}
            algorithm: "{{algorithm}}"
            key_id: "{{key_id}}"
            audience_url: "{{audience_url}}"

        """#
}
