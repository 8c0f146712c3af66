// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let zoomS2s = #"""
        # Zoom's API with a server-to-server OAuth app.
        #
        #   upstreams:
        #     zoom-login: {url: https://zoom.us}
        #     zoom: {url: https://api.zoom.us, profile: {name: zoom-s2s, with: {server: zoom-login, account: ABCdef123}}}
        #   secrets: {client_id: {env: ZOOM_CLIENT}, client_secret: {file: secrets/zoom}}
        profile: zoom-s2s
        summary: Zoom - account credentials of a server-to-server app, a bearer token of an hour.

        parameters:
          server: {doc: "Name of the upstream that is https://zoom.us."}
          account: {doc: Account ID.}
          path: {default: "/v2/**", doc: Paths that are forwarded.}

        secrets:
          client_id: client id of the app
          client_secret: its secret

        session:
          login:
            - upstream: "{{server}}"
              request:
                method: POST
                path: /oauth/token
                headers: {Authorization: "Basic ${base64.encode(secret.client_id + ':' + secret.client_secret)}"}
                form: {grant_type: account_credentials, account_id: "{{account}}"}
              success: has(json.access_token)
              refused: status in [400, 401]
              capture: {token: json.access_token, expires_in: json.expires_in}
          # 124: the token is invalid or old. Other 401 tell of something else.
          expired: status == 401 && int(json.code) == 124
          attach:
            header: {Authorization: "Bearer ${session.token}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
