// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let homeAssistant = #"""
        # Home Assistant with a user. (A long-lived access token needs no login: routes with an attach of Authorization.)
        #
        #   upstreams:
        #     home: {url: http://homeassistant.local:8123, profile: home-assistant}
        #   secrets: {username: {env: HASS_USER}, password: {file: secrets/hass}}
        profile: home-assistant
        summary: Home Assistant - the login flow of its own pages, a bearer token of half an hour, refreshed.

        parameters:
          client: {default: "http://countersign.local/", doc: "Address that stands for this client in the list of the user's tokens. Nobody asks for it."}
          path: {default: "/api/**", doc: Paths that are forwarded.}

        secrets:
          username: user
          password: its password

        session:
          login:
            - request:
                method: POST
                path: /auth/login_flow
                json: {client_id: "{{client}}", handler: [homeassistant, null], redirect_uri: "{{client}}"}
              success: has(json.flow_id)
              refused: json.type == "abort"
              capture: {flow: json.flow_id}
            - request:
                method: POST
                path: /auth/login_flow/${session.flow}
                json: {client_id: "{{client}}", username: "${secret.username}", password: "${secret.password}"}
              success: json.type == "create_entry"
              # A second form asks for a second factor.
              refused: json.type == "abort" || json.errors.base == "invalid_auth" || json.step_id == "mfa"
              capture: {code: json.result}
            - request:
                method: POST
                path: /auth/token
                form: {grant_type: authorization_code, code: "${session.code}", client_id: "{{client}}"}
              success: has(json.access_token)
              # The code holds once and for minutes only: the next login has a new one.
              refused: status == 403
              capture: {token: json.access_token, refresh_token: json.refresh_token, expires_in: json.expires_in}
          refresh:
            - request:
                method: POST
                path: /auth/token
                form: {grant_type: refresh_token, refresh_token: "${session.refresh_token}", client_id: "{{client}}"}
              success: has(json.access_token)
              refused: status in [400, 403]
              capture: {token: json.access_token, expires_in: json.expires_in}
          logout:
            - request: {method: POST, path: /auth/revoke, form: {token: "${session.refresh_token}"}}
          expired: status == 401
          attach:
            header: {Authorization: "Bearer ${session.token}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
