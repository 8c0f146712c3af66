// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let f5Bigip = #"""
        # F5 BIG-IP, iControl REST.
        #
        #   upstreams:
        #     bigip: {url: https://192.0.2.1, profile: f5-bigip}
        #   secrets: {username: {env: F5_USER}, password: {file: secrets/f5}}
        profile: f5-bigip
        summary: F5 BIG-IP - JSON login, X-F5-Auth-Token of twenty minutes, deleted when the gateway stops.

        parameters:
          provider: {default: tmos, doc: Name of the login provider.}
          path: {default: "/mgmt/**", doc: Paths that are forwarded.}

        secrets:
          username: user
          password: its password

        session:
          login:
            - request:
                method: POST
                path: /mgmt/shared/authn/login
                json: {username: "${secret.username}", password: "${secret.password}", loginProviderName: "{{provider}}"}
              success: has(json.token.token)
              refused: status == 401
              capture: {token: json.token.token, expires_in: json.token.timeout}
          logout:
            - request:
                method: DELETE
                path: /mgmt/shared/authz/tokens/${session.token}
                headers: {X-F5-Auth-Token: "${session.token}"}
          expired: status == 401
          attach:
            header: {X-F5-Auth-Token: "${session.token}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
