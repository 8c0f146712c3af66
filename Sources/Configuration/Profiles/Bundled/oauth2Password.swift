// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let oauth2Password = #"""
        # OAuth 2.0 password grant (RFC 6749 4.3), with the refresh tokens that the server hands out.
        #
        #   upstreams:
        #     api: {url: https://api.example.com, profile: oauth2-password}
        #   secrets: {client_id: ..., client_secret: ..., username: ..., password: ...}
        profile: oauth2-password
        summary: OAuth 2.0 password grant - as oauth2, for a user's account; refresh tokens are used and rotated.
        extends: oauth2

        secrets:
          username: account
          password: its password

        session:
          oauth2:
            grant: password
            username: ${secret.username}
            password: ${secret.password}

        """#
}
