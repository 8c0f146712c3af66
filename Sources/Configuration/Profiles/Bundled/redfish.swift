// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let redfish = #"""
        # Redfish (DMTF DSP0266): the service processors of servers, such as iDRAC, iLO, XClarity and OpenBMC.
        #
        #   upstreams:
        #     bmc: {url: https://192.0.2.7, profile: redfish}
        #   secrets: {username: {env: BMC_USER}, password: {file: secrets/bmc}}
        profile: redfish
        summary: Redfish service processors - a session with X-Auth-Token, ended when the gateway stops.

        parameters:
          path: {default: "/redfish/**", doc: Paths that are forwarded.}

        secrets:
          username: user
          password: its password

        session:
          login:
            - request:
                method: POST
                path: /redfish/v1/SessionService/Sessions
                json: {UserName: "${secret.username}", Password: "${secret.password}"}
              success: status == 201 && headers[?"x-auth-token"].hasValue()
              # Some say 400 with UnauthorizedLoginAttempt. Too many sessions is another 400 or a 503: that passes.
              refused: status in [401, 403] || status == 400 && text.contains("Unauthorized")
              capture:
                token: headers["x-auth-token"]
                # Relative, or with an origin of its own.
                place: regex.replace(headers.location, "^https?://[^/]*", "")
          logout:
            - request: {method: DELETE, path: "${session.place}", headers: {X-Auth-Token: "${session.token}"}}
          expired: status == 401
          attach:
            header: {X-Auth-Token: "${session.token}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
