// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let zabbix = #"""
        # Zabbix, versions 6.4 and newer: JSON-RPC with a bearer token, one call for each request. (An API token needs no login: routes
        # with an attach of Authorization.)
        #
        #   upstreams:
        #     zabbix: {url: https://zabbix.example.com, profile: zabbix}
        #   secrets: {username: {env: ZABBIX_USER}, password: {file: secrets/zabbix}}
        profile: zabbix
        summary: Zabbix - user.login by JSON-RPC, a bearer token, errors with status 200.

        parameters:
          path: {default: /api_jsonrpc.php, doc: Path of the API at the server.}
          to: {default: same, doc: "What clients get: same, standard or problem."}

        secrets:
          username: user
          password: its password

        session:
          login:
            - request:
                method: POST
                path: "{{path}}"
                json: {jsonrpc: "2.0", method: user.login, params: {username: "${secret.username}", password: "${secret.password}"}, id: 1}
              success: has(json.result)
              # Wrong name or password, or temporarily blocked: trying again blocks for longer.
              refused: int(json.error.code) in [-32500, -32602]
              capture: {token: json.result}
          logout:
            - request:
                method: POST
                path: "{{path}}"
                headers: {Authorization: "Bearer ${session.token}"}
                json: {jsonrpc: "2.0", method: user.logout, params: [], id: 1}
          expired: json.error.data in ["Session terminated, re-login, please.", "Not authorized."]
          attach:
            # Three methods are refused with a token.
            header:
              Authorization: >-
                ${request.json.method.lowerAscii() in ["apiinfo.version", "user.login", "user.checkauthentication"]
                ? optional.none() : optional.of("Bearer " + session.token)}

        envelope:
          ok: has(json.result)
          code: json.?error.?code
          message: json.?error.?data.orValue("")
          data: json.?result
          render:
            jsonrpc: "2.0"
            error: "${{'code': code.orValue(-32000), 'message': 'Application error.', 'data': message}}"
            id: ${null}

        routes:
          - {path: "{{path}}", methods: [POST], session: "{{upstream}}", envelope: {from: "{{upstream}}", to: "{{to}}"}}

        """#
}
