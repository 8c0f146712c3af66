// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let transmission = #"""
        # Transmission's RPC. The server hands out an id against cross-site requests with a 409; user and password go with each call.
        #
        #   upstreams:
        #     torrents: {url: http://127.0.0.1:9091, profile: transmission}
        #   secrets: {username: {env: TR_USER}, password: {file: secrets/transmission}}
        profile: transmission
        summary: Transmission - Basic authentication and an X-Transmission-Session-Id, 409 for an old one.

        parameters:
          path: {default: /transmission/rpc, doc: Path of the RPC at the server.}

        secrets:
          username: user
          password: its password

        session:
          login:
            - request:
                method: POST
                path: "{{path}}"
                headers: {Authorization: "Basic ${base64.encode(secret.username + ':' + secret.password)}"}
                json: {method: session-get}
              success: status == 409 && headers[?"x-transmission-session-id"].hasValue()
              # 403: this address is not on the list.
              refused: status in [401, 403]
              capture: {id: 'headers["x-transmission-session-id"]'}
          expired: status == 409
          attach:
            header:
              Authorization: Basic ${base64.encode(secret.username + ":" + secret.password)}
              X-Transmission-Session-Id: ${session.id}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
