// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let devpi = #"""
        # devpi-server, a Python package index (https://devpi.net; tried with 6.20 in every test run).
        #
        #   upstreams:
        #     index: {url: http://127.0.0.1:3141, profile: devpi}
        #   secrets: {username: {env: DEVPI_USER}, password: {file: secrets/devpi}}
        #
        # POST /+login brings a token for ten hours. It goes with each request as X-Devpi-Auth: base 64 of user, colon, token;
        # the Authorization field stays free for pip's own use.
        profile: devpi
        summary: devpi - JSON login, a token of ten hours in X-Devpi-Auth; a dead one makes the caller nobody.

        parameters:
          body: {default: 512MiB, doc: Largest upload.}
          replay: {default: 16MiB, doc: Uploads up to this size are sent again when they meet a dead token.}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          username: user of the index
          password: its password

        session:
          login:
            - request:
                method: POST
                path: /+login
                json: {user: "${secret.username}", password: "${secret.password}"}
              success: status == 200 && json.type == "proxyauth"
              refused: status == 401
              capture: {token: json.result.password, expires_in: json.result.expiration}
          # A token that is no longer valid makes the caller nobody, not an error: what nobody may do still works, anything else
          # is 403, and /+api (which clients ask first) says "noauth". What the user really may not do is 403 as well, and costs a
          # login each time: attempts_window bounds that.
          expired: status in [401, 403] || json.result.authstatus[0] != "ok"
          attach:
            header: {X-Devpi-Auth: "${base64.encode(secret.username + ':' + session.token)}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}", limits: {body: "{{body}}", replay: "{{replay}}"}}

        """#
}
