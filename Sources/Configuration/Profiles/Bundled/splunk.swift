// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let splunk = #"""
        # Splunk Enterprise's REST API (management port) with a user.
        #
        #   upstreams:
        #     splunk: {url: https://splunk.example.com:8089, profile: splunk}
        #   secrets: {username: {env: SPLUNK_USER}, password: {file: secrets/splunk}}
        profile: splunk
        summary: Splunk - form login, a session key in Authorization, 401 for one that idled away.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          username: user
          password: its password

        session:
          login:
            - request:
                method: POST
                path: /services/auth/login
                form: {username: "${secret.username}", password: "${secret.password}", output_mode: json}
              success: has(json.sessionKey)
              refused: status == 401
              capture: {key: json.sessionKey}
          logout:
            - request:
                method: DELETE
                path: /services/authentication/httpauth-tokens/${url.encode(session.key)}
                headers: {Authorization: "Splunk ${session.key}"}
          expired: status == 401
          attach:
            header: {Authorization: "Splunk ${session.key}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
