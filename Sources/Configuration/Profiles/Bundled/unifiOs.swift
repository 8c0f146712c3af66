// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let unifiOs = #"""
        # UniFi OS consoles (Dream Machine, Cloud Key, Network Server): the applications under /proxy, with a local user without second
        # factor.
        #
        #   upstreams:
        #     unifi: {url: https://192.0.2.1, profile: unifi-os}
        #   secrets: {username: {env: UNIFI_USER}, password: {file: secrets/unifi}}
        profile: unifi-os
        summary: UniFi OS - JSON login, the cookie TOKEN and a CSRF token that rolls on.

        parameters:
          path: {default: "/proxy/**", doc: Paths that are forwarded.}

        secrets:
          username: local user
          password: its password

        session:
          cookies: true
          login:
            - request:
                method: POST
                path: /api/auth/login
                json: {username: "${secret.username}", password: "${secret.password}", rememberMe: true}
              # 499: a second factor is wanted. 429: too many tries, which passes.
              refused: status in [400, 401, 403, 499]
              capture:
                csrf: headers[?"x-updated-csrf-token"].or(headers[?"x-csrf-token"]).value()
                expires_at: jwt.claims(cookie.value(headers, "TOKEN")).exp
          logout:
            - request: {method: POST, path: /api/auth/logout, headers: {X-CSRF-Token: "${session.csrf}"}, json: {}}
          update:
            csrf: headers[?"x-updated-csrf-token"].or(headers[?"x-csrf-token"])
          expired: status == 401
          attach:
            header: {X-CSRF-Token: "${session.csrf}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
