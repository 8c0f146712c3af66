// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let fritzbox = #"""
        # FRITZ!Box with FRITZ!OS 7.24 or newer: the home automation interface (/webservices/homeautoswitch.lua and its kin). The
        # password is proved by PBKDF2 over a challenge; after a wrong one the box asks for a pause, which is kept.
        #
        #   upstreams:
        #     fritz: {url: http://fritz.box, profile: fritzbox}
        #   secrets: {username: {env: FRITZ_USER}, password: {file: secrets/fritz}}
        profile: fritzbox
        summary: FRITZ!Box - PBKDF2 challenge and response, sid in the query, 403 for one that idled away.

        parameters:
          path: {default: "/webservices/**", doc: Paths that are forwarded.}

        secrets:
          username: user
          password: its password

        session:
          login:
            - request: {method: GET, path: "/login_sid.lua?version=2"}
              success: xml.SessionInfo.Challenge.startsWith("2$") && int(xml.SessionInfo.BlockTime) == 0
              retry_after: int(xml.SessionInfo.BlockTime)
              capture: {challenge: xml.SessionInfo.Challenge}
            - variables:
                parts: session.challenge.split("$")
                first: pbkdf2.sha256(secret.password, hex.decode(vars.parts[2]), int(vars.parts[1]), 32)
                second: pbkdf2.sha256(vars.first, hex.decode(vars.parts[4]), int(vars.parts[3]), 32)
              request:
                method: POST
                path: /login_sid.lua?version=2
                form:
                  username: ${secret.username}
                  response: ${vars.parts[4] + "$" + hex.encode(vars.second)}
              success: xml.SessionInfo.SID != "0000000000000000"
              refused: xml.SessionInfo.SID == "0000000000000000"
              capture: {sid: xml.SessionInfo.SID}
          logout:
            - request: {method: GET, path: "/login_sid.lua?version=2&logout=1&sid=${session.sid}"}
          expired: status == 403
          attach:
            query: {sid: "${session.sid}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
