// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let ciscoAci = #"""
        # Cisco ACI: the controllers' (APIC) REST API, JSON or XML.
        #
        #   upstreams:
        #     apic: {url: https://apic.example.com, profile: cisco-aci}
        #   secrets: {username: {env: APIC_USER}, password: {file: secrets/apic}}
        profile: cisco-aci
        summary: Cisco ACI - aaaLogin, the cookie APIC-cookie of ten minutes, refreshed.

        parameters:
          path: {default: "/api/**", doc: Paths that are forwarded.}

        secrets:
          username: "user; of a login domain apic:DOMAIN\\\\user"
          password: its password

        session:
          login:
            - request:
                method: POST
                path: /api/aaaLogin.json
                json: {aaaUser: {attributes: {name: "${secret.username}", pwd: "${secret.password}"}}}
              success: 'has(json.imdata[0].aaaLogin.attributes.token)'
              refused: status in [400, 401, 403]
              capture: &got
                token: 'json.imdata[0].aaaLogin.attributes.token'
                expires_in: 'json.imdata[0].aaaLogin.attributes.refreshTimeoutSeconds'
          refresh:
            - request: {method: GET, path: /api/aaaRefresh.json, headers: {Cookie: "APIC-cookie=${session.token}"}}
              success: 'has(json.imdata[0].aaaLogin.attributes.token)'
              refused: status in [401, 403]
              capture: *got
          logout:
            - request:
                method: POST
                path: /api/aaaLogout.json
                headers: {Cookie: "APIC-cookie=${session.token}"}
                json: {aaaUser: {attributes: {name: "${secret.username}"}}}
          # "Token was invalid (Error: Token timeout)", "Need a valid webtoken cookie ...". Other 403 tell of rights.
          expired: status in [401, 403] && (text.contains("Token was invalid") || text.contains("valid webtoken cookie"))
          attach:
            cookie: {APIC-cookie: "${session.token}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
