// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let oauth2Refresh = #"""
        # OAuth 2.0 refresh token (RFC 6749 6): somebody has consented once, and a refresh token is there to go on with.
        #
        #   upstreams:
        #     api: {url: https://api.example.com, profile: oauth2-refresh}
        #   secrets: {client_id: ..., client_secret: ..., refresh_token: {file: secrets/refresh}}
        profile: oauth2-refresh
        summary: OAuth 2.0 refresh token - as oauth2, from a refresh token that was gained elsewhere.
        extends: oauth2

        secrets:
          refresh_token: the first refresh token

        session:
          oauth2:
            grant: refresh_token
            refresh_token: ${secret.refresh_token}

        """#
}
