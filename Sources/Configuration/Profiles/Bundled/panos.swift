// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let panos = #"""
        # PAN-OS: firewalls and Panorama of Palo Alto Networks, XML and REST API.
        #
        #   upstreams:
        #     firewall: {url: https://192.0.2.1, profile: panos}
        #   secrets: {username: {env: PAN_USER}, password: {file: secrets/pan}}
        #
        # With a key instead of a password: routes with attach: {header: {X-PAN-KEY: ...}} and no profile.
        profile: panos
        summary: PAN-OS - an API key that keygen hands out, in X-PAN-KEY.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          username: administrator
          password: its password

        session:
          login:
            - request:
                method: POST
                path: /api/
                form: {type: keygen, user: "${secret.username}", password: "${secret.password}"}
              success: xml.response["@status"] == "success"
              refused: status == 403 || xml.response[?"@code"].orValue("") == "403"
              capture: {key: xml.response.result.key}
          # An old key. What a role may not do has other texts.
          expired: status == 401 || status in [200, 403] && text.lowerAscii().contains("invalid credential")
          attach:
            header: {X-PAN-KEY: "${session.key}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
