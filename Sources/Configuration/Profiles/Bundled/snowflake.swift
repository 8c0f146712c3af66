// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let snowflake = #"""
        # Snowflake's SQL API with a key pair: the user's public key is known to the account.
        #
        #   upstreams:
        #     snowflake: {url: https://MYORG-MYACCOUNT.snowflakecomputing.com, profile: {name: snowflake, with: {account: MYORG-MYACCOUNT, user: LOADER}}}
        #   secrets: {private_key: {file: secrets/snowflake.pem}}
        profile: snowflake
        summary: Snowflake SQL API - a JWT of the user's key (RS256) for each request, as bearer.

        parameters:
          account: {doc: "Account identifier, in capitals and with - instead of dots; of a locator without region."}
          user: {doc: "Name of the user, in capitals."}
          path: {default: "/api/**", doc: Paths that are forwarded.}

        secrets:
          private_key: private key of the user (PEM, without passphrase)

        signature:
          variables:
            key: json.decode(jwk.public(secret.private_key))
            print: base64.encode(hash.sha256(rsa.public(base64url.decode(vars.key.n), base64url.decode(vars.key.e))))
            # An hour is the most.
            claims: >-
              {"iss": "{{account}}.{{user}}.SHA256:" + vars.print, "sub": "{{account}}.{{user}}", "iat": int(now), "exp": int(now) + 600}
          attach:
            header:
              Authorization: Bearer ${jwt.sign("RS256", secret.private_key, vars.claims)}
              X-Snowflake-Authorization-Token-Type: KEYPAIR_JWT

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
