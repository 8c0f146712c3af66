// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let appStoreConnect = #"""
        # Apple's App Store Connect API with a team key.
        #
        #   upstreams:
        #     apple: {url: https://api.appstoreconnect.apple.com, profile: {name: app-store-connect, with: {key_id: 2X9R4HXF34, issuer: 57246542-96fe-1a63-e053-0824d011072a}}}
        #   secrets: {private_key: {file: secrets/AuthKey.p8}}
        profile: app-store-connect
        summary: App Store Connect - a JWT of the team's key (ES256) for each request, as bearer.

        parameters:
          key_id: {doc: Key ID.}
          issuer: {doc: Issuer ID of the team.}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          private_key: private key of the API key (the .p8 file)

        signature:
          variables:
            # Twenty minutes are the most for most requests.
            claims: >-
              {"iss": "{{issuer}}", "iat": int(now), "exp": int(now) + 600, "aud": "appstoreconnect-v1"}
          attach:
            header: {Authorization: 'Bearer ${jwt.sign("ES256", secret.private_key, vars.claims, {"typ": "JWT", "kid": "{{key_id}}"})}'}

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
