// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let ezviz = #"""
        # Ezviz (Yingshi) open platform, the /api/lapp calls: forms with an access token of seven days.
        #
        #   upstreams:
        #     ezviz: {url: https://open.ys7.com, profile: ezviz}
        #   secrets: {app_key: {env: EZVIZ_KEY}, app_secret: {file: secrets/ezviz}}
        profile: ezviz
        summary: Ezviz open platform - accessToken in the form, {code, msg, data}.

        parameters:
          path: {default: "/api/lapp/**", doc: Paths that are forwarded.}
          to: {default: same, doc: "What clients get: same, standard or problem."}

        secrets:
          app_key: appKey
          app_secret: appSecret

        session:
          login:
            - request:
                method: POST
                path: /api/lapp/token/get
                form: {appKey: "${secret.app_key}", appSecret: "${secret.app_secret}"}
              success: json.code == "200"
              # Frozen, unknown, wrong secret.
              refused: json.code in ["10005", "10017", "10030"]
              capture: {token: json.data.accessToken, expires_at: json.data.expireTime}
          expired: json.code == "10002"
          attach:
            form: {accessToken: "${session.token}"}

        envelope:
          ok: json.code == "200"
          code: json.code
          message: json.msg
          data: json.?data
          render: {code: "${string(code.orValue('50000'))}", msg: "${message}"}

        routes:
          - path: "{{path}}"
            methods: [POST]
            session: "{{upstream}}"
            # A call without parameters becomes a form too.
            request: {to: form}
            envelope: {from: "{{upstream}}", to: "{{to}}"}

        """#
}
