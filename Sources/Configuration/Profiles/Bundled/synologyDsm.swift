// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let synologyDsm = #"""
        # Synology's DSM, versions 6 and 7: the Web API under /webapi/entry.cgi. A user of its own without second factor is best.
        #
        #   upstreams:
        #     nas: {url: https://nas.example.com:5001, profile: synology-dsm}
        #   secrets: {username: {env: NAS_USER}, password: {file: secrets/nas}}
        profile: synology-dsm
        summary: Synology DSM - form login, _sid in the query and a SynoToken, {success, data, error}.

        parameters:
          session: {default: FileStation, doc: "Application that the session is for, like FileStation or DownloadStation."}
          path: {default: "/webapi/**", doc: Paths that are forwarded.}
          to: {default: same, doc: "What clients get: same, standard or problem."}

        secrets:
          username: account
          password: its password

        session:
          login:
            - request:
                method: POST
                path: /webapi/entry.cgi
                form:
                  api: SYNO.API.Auth
                  version: "6"
                  method: login
                  account: ${secret.username}
                  passwd: ${secret.password}
                  session: "{{session}}"
                  format: sid
                  enable_syno_token: "yes"
              success: json.success == true
              # Wrong password, disabled, second factor wanted, blocked address, password to be changed.
              refused: int(json.error.code) in [400, 401, 402, 403, 404, 406, 407, 408, 409, 410]
              capture: {sid: json.data.sid, token: json.data.synotoken}
          logout:
            - request:
                method: GET
                path: /webapi/entry.cgi
                query: {api: SYNO.API.Auth, version: "6", method: logout, session: "{{session}}", _sid: "${session.sid}"}
          # Timed out; no such session. 105 is a right that is missing.
          expired: int(json.error.code) in [106, 119]
          # Another login has ended it.
          taken: int(json.error.code) == 107
          attach:
            query: {_sid: "${session.sid}"}
            header: {X-SYNO-TOKEN: "${session.token}"}

        envelope:
          ok: json.success == true
          code: json.?error.?code
          data: json.?data
          render: {success: "${ok}", error: "${{'code': code.orValue(100)}}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}", envelope: {from: "{{upstream}}", to: "{{to}}"}}

        """#
}
