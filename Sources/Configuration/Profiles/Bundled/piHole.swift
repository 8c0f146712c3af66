// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let piHole = #"""
        # Pi-hole, version 6. The password is best an app password: it asks for no second factor.
        #
        #   upstreams:
        #     pihole: {url: http://pi.hole, profile: pi-hole}
        #   secrets: {password: {file: secrets/pihole}}
        profile: pi-hole
        summary: Pi-hole 6 - JSON login, X-FTL-SID, a session that idles away and has few seats.

        parameters:
          path: {default: "/api/**", doc: Paths that are forwarded.}

        secrets:
          password: app password

        session:
          login:
            - request:
                method: POST
                path: /api/auth
                json: {password: "${secret.password}"}
              success: json.session.valid == true
              # 429: no seat left, or too many tries; both pass.
              refused: status in [400, 401]
              capture: {sid: json.session.sid, csrf: json.session.csrf, validity: json.session.validity, expires_in: json.session.validity}
          # Each use starts the time anew.
          update: {expires_in: session.validity}
          logout:
            - request: {method: DELETE, path: /api/auth, headers: {X-FTL-SID: "${session.sid}"}}
          expired: status == 401
          attach:
            header: {X-FTL-SID: "${session.sid}", X-FTL-CSRF: "${session.csrf}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
