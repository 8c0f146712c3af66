// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let googleServiceAccount = #"""
        # Google APIs as a service account. The key file that the console hands out is one secret, as it is.
        #
        #   upstreams:
        #     google: {url: https://oauth2.googleapis.com}
        #     storage: {url: https://storage.googleapis.com, profile: {name: google-service-account, with: {server: google}}}
        #   secrets: {service_account: {file: secrets/service-account.json}}
        #
        # Domain-wide delegation acts for a user: with: {subject: ann@example.com, scope: ...}.
        profile: google-service-account
        summary: Google APIs - the key file of a service account signs an assertion (RS256) for a bearer token of an hour.

        parameters:
          server: {doc: "Name of the upstream that is https://oauth2.googleapis.com."}
          scope: {default: https://www.googleapis.com/auth/cloud-platform, doc: "Scopes, separated by blanks."}
          subject: {default: "", doc: "E-mail address of the user to act for, with domain-wide delegation; the account itself without it."}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          service_account: key file of the service account (JSON)

        session:
          login:
            - upstream: "{{server}}"
              variables:
                account: json.decode(secret.service_account)
                subject: '"{{subject}}" == "" ? {} : {"sub": "{{subject}}"}'
                claims: >-
                  json.merge({"iss": vars.account.client_email, "scope": "{{scope}}", "aud": vars.account.token_uri,
                  "iat": int(now), "exp": int(now) + 3600}, vars.subject)
              request:
                method: POST
                path: /token
                form:
                  grant_type: urn:ietf:params:oauth:grant-type:jwt-bearer
                  assertion: >-
                    ${jwt.sign("RS256", vars.account.private_key, vars.claims, {"typ": "JWT", "kid": vars.account.private_key_id})}
              success: has(json.access_token)
              # invalid_grant is also said for a clock that is wrong: that may pass.
              refused: >-
                json.error in ["invalid_client", "invalid_scope", "unauthorized_client", "invalid_request"]
                || json.error == "invalid_grant" && !json.?error_description.orValue("").contains("iat and exp")
              capture: {token: json.access_token, expires_in: json.expires_in}
          expired: status == 401
          attach:
            header: {Authorization: "Bearer ${session.token}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
