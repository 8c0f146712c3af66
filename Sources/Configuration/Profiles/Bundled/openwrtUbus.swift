// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let openwrtUbus = #"""
        # OpenWrt's ubus over HTTP (uhttpd-mod-ubus). The session stands first in params of each call: what a client has there is
        # replaced. One call for each request, no lists.
        #
        #   upstreams:
        #     router: {url: http://192.0.2.1, profile: openwrt-ubus}
        #   secrets: {username: {env: OPENWRT_USER}, password: {file: secrets/openwrt}}
        profile: openwrt-ubus
        summary: OpenWrt ubus - session.login by JSON-RPC, the session as first of params.

        parameters:
          path: {default: /ubus, doc: Path of ubus at the server.}

        secrets:
          username: user
          password: its password

        session:
          login:
            - request:
                method: POST
                path: "{{path}}"
                json:
                  jsonrpc: "2.0"
                  id: 1
                  method: call
                  params: ["00000000000000000000000000000000", session, login, {username: "${secret.username}", password: "${secret.password}"}]
              success: has(json.result[1].ubus_rpc_session)
              # 6: permission denied.
              refused: int(json.result[0]) == 6
              capture: {sid: "json.result[1].ubus_rpc_session", timeout: "json.result[1].timeout", expires_in: "json.result[1].timeout"}
          # Each use starts the time anew.
          update: {expires_in: session.timeout}
          # Access denied: said for a dead session, and for what a live one may not call.
          expired: int(json.error.code) == -32002

        routes:
          - path: "{{path}}"
            methods: [POST]
            session: "{{upstream}}"
            request: {transform: {/params/0: "${session.sid}"}}

        """#
}
