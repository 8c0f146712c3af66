// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let coinbaseAdvanced = #"""
        # Coinbase Advanced Trade and the other APIs of Coinbase App, with an ECDSA key of the Coinbase Developer Platform.
        # (Coinbase Exchange is the profile coinbase.)
        #
        #   upstreams:
        #     coinbase:
        #       url: https://api.coinbase.com
        #       profile: {name: coinbase-advanced, with: {key_name: organizations/ORG/apiKeys/KEY}}
        #   secrets: {private_key: {file: secrets/cdp.pem}}
        profile: coinbase-advanced
        summary: Coinbase Advanced Trade - a JWT over method, host and path (ES256) for each request, as bearer.

        parameters:
          key_name: {doc: "Name of the key, organizations/.../apiKeys/..."}
          path: {default: "/api/v3/**", doc: Paths that are forwarded.}

        secrets:
          private_key: private key (PEM)

        signature:
          variables:
            # Two minutes are the most.
            claims: >-
              {"sub": "{{key_name}}", "iss": "cdp", "nbf": int(now), "exp": int(now) + 120,
              "uri": request.method + " " + request.host + request.path}
            head: '{"typ": "JWT", "kid": "{{key_name}}", "nonce": nonce}'
          attach:
            header: {Authorization: 'Bearer ${jwt.sign("ES256", secret.private_key, vars.claims, vars.head)}'}

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
