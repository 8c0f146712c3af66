// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let oauth2Device = #"""
        # OAuth 2.0 device code (RFC 8628): somebody opens a page and enters a code, once; refresh tokens go on from there. Until then
        # requests get login_required with the page and the code, which /health shows too.
        #
        #   upstreams:
        #     api: {url: https://api.example.com, profile: {name: oauth2-device, with: {scope: read}}}
        #   secrets: {client_id: {env: CLIENT_ID}}
        #
        # A client that has a secret too: sessions: {api: {oauth2: {client_auth: basic, client_secret: "${secret.NAME}"}}}.
        profile: oauth2-device
        summary: OAuth 2.0 device code - as oauth2, for somebody's account; a person enters a code once.
        extends: oauth2

        parameters:
          device_path: {default: /oauth2/device_authorization, doc: Path of the device authorization endpoint.}
          client_auth: {default: none}

        secrets:
          client_secret: null

        session:
          oauth2:
            grant: device_code
            device_path: "{{device_path}}"
            client_secret: null

        """#
}
