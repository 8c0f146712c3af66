// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let jellyfin = #"""
        # Jellyfin with a user. (An API key needs no login: routes with an attach of Authorization.)
        #
        #   upstreams:
        #     jellyfin: {url: http://127.0.0.1:8096, profile: jellyfin}
        #   secrets: {username: {env: JELLYFIN_USER}, password: {file: secrets/jellyfin}}
        profile: jellyfin
        summary: Jellyfin - JSON login, a token inside the MediaBrowser Authorization field.

        parameters:
          device: {default: Countersign, doc: "Name of the device, as the server's list shows it."}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          username: user
          password: its password

        session:
          login:
            - request:
                method: POST
                path: /Users/AuthenticateByName
                headers: {Authorization: 'MediaBrowser Client="Countersign", Device="{{device}}", DeviceId="${device}", Version="1"'}
                json: {Username: "${secret.username}", Pw: "${secret.password}"}
              success: has(json.AccessToken)
              refused: status in [400, 401, 403]
              capture: {token: json.AccessToken}
          logout:
            - request: {method: POST, path: /Sessions/Logout, headers: {Authorization: 'MediaBrowser Token="${session.token}"'}}
          expired: status == 401
          attach:
            header:
              Authorization: 'MediaBrowser Token="${session.token}", Client="Countersign", Device="{{device}}", DeviceId="${device}", Version="1"'

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
