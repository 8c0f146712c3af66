// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let matrixSynapse = #"""
        # Synapse, a Matrix homeserver (https://spec.matrix.org, client-server API; tried with 1.163 in every test run).
        #
        #   upstreams:
        #     matrix: {url: https://matrix.example.com, profile: matrix-synapse}
        #   secrets: {username: {env: MATRIX_USER}, password: {file: secrets/matrix}}
        #
        # A password login that asks for a refresh token. The access token dies after refreshable_access_token_lifetime; a refresh
        # brings a new one, and a new refresh token with it: the old one is void as soon as the new access token is used.
        #
        # A server without refresh tokens, or one device for each login: sessions: {NAME: {refresh: null}}.
        profile: matrix-synapse
        summary: Synapse (Matrix) - password login, access tokens that die, refresh tokens that rotate.

        parameters:
          device: {default: Countersign, doc: Name of the device that the login makes.}
          expires_in: {default: double(json.expires_in_ms) / 1000.0, doc: "Expression of a token's lifetime in seconds; without it the end is learnt from M_UNKNOWN_TOKEN."}
          upload: {default: 50MiB, doc: "Largest upload, as max_upload_size of the server. Uploads are kept whole, so that one that meets a dead token can be sent again."}

        secrets:
          username: user name, or a whole id like @ann:example.com
          password: its password

        session:
          login:
            - request:
                method: POST
                path: /_matrix/client/v3/login
                json:
                  type: m.login.password
                  identifier: {type: m.id.user, user: "${secret.username}"}
                  password: "${secret.password}"
                  refresh_token: true
                  initial_device_display_name: "{{device}}"
              # M_FORBIDDEN: wrong password; M_USER_DEACTIVATED. Everything else (M_LIMIT_EXCEEDED) may pass.
              refused: json.errcode in ["M_FORBIDDEN", "M_USER_DEACTIVATED"]
              capture: {token: json.access_token, refresh_token: json.?refresh_token, expires_in: "{{expires_in}}"}
          refresh:
            - request:
                method: POST
                path: /_matrix/client/v3/refresh
                json: {refresh_token: "${session.refresh_token}"}
              # The session was ended for good (a logout, a used token): log in.
              refused: json.errcode in ["M_UNKNOWN_TOKEN", "M_FORBIDDEN"]
              capture: {token: json.access_token, refresh_token: json.?refresh_token, expires_in: "{{expires_in}}"}
          # 401 is also said for a call that needs the password again (no errcode M_UNKNOWN_TOKEN then).
          expired: status == 401 && json.errcode == "M_UNKNOWN_TOKEN"
          attach:
            header: {Authorization: "Bearer ${session.token}"}

        routes:
          - {path: /_matrix/client/**, session: "{{upstream}}"}
          - {path: /_matrix/media/**, session: "{{upstream}}", limits: {body: "{{upload}}", replay: "{{upload}}"}}

        """#
}
