// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let vaultApprole = #"""
        # HashiCorp Vault and OpenBao with an AppRole. The token is renewed while the server lets it, then a login brings a new one.
        #
        #   upstreams:
        #     vault: {url: https://vault.example.com:8200, profile: vault-approle}
        #   secrets: {role_id: {env: VAULT_ROLE}, secret_id: {file: secrets/vault}}
        profile: vault-approle
        summary: Vault, OpenBao - AppRole login, X-Vault-Token, renewed until its greatest lifetime.

        parameters:
          mount: {default: approle, doc: Path that the auth method is mounted at.}
          namespace: {default: "", doc: "Namespace, where the server has some."}
          expired: {default: 'status == 403 && json.errors.exists(e, e.contains("invalid token"))', doc: "Expression that tells of a dead token. Old servers say permission denied for that and for what a policy forbids: status == 403 there, which costs logins."}
          path: {default: "/v1/**", doc: Paths that are forwarded.}

        secrets:
          role_id: RoleID
          secret_id: SecretID

        upstream:
          attach:
            header: {X-Vault-Namespace: "{{namespace}}"}

        session:
          login:
            - request:
                method: POST
                path: /v1/auth/{{mount}}/login
                json: {role_id: "${secret.role_id}", secret_id: "${secret.secret_id}"}
              success: has(json.auth.client_token)
              # "invalid role or secret ID". A 403 is a lockout after failed logins, which ends by itself.
              refused: status == 400
              capture: {token: json.auth.client_token, ttl: json.auth.lease_duration, expires_in: json.auth.lease_duration}
          refresh:
            - request:
                method: POST
                path: /v1/auth/token/renew-self
                headers: {X-Vault-Token: "${session.token}"}
                json: {}
              # Near the greatest lifetime a renewal brings less and less: then it is time for a login.
              success: int(json.auth.lease_duration) * 2 > int(session.ttl)
              refused: status in [400, 403]
              capture: {expires_in: json.auth.lease_duration}
          logout:
            - request:
                method: POST
                path: /v1/auth/token/revoke-self
                headers: {X-Vault-Token: "${session.token}"}
          expired: "{{expired}}"
          attach:
            header: {X-Vault-Token: "${session.token}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
