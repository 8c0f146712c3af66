// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let feishuApp = #"""
        # Feishu (Lark) apps of one's own company: a tenant_access_token as bearer.
        #
        #   upstreams:
        #     feishu: {url: https://open.feishu.cn, profile: feishu-app}
        #   secrets: {app_id: {env: FEISHU_APP}, app_secret: {file: secrets/feishu}}
        profile: feishu-app
        summary: Feishu apps - tenant access token as bearer, {code, msg, data}.

        parameters:
          path: {default: "/open-apis/**", doc: Paths that are forwarded.}
          to: {default: standard, doc: "What clients get: standard, problem or same."}

        secrets:
          app_id: App ID
          app_secret: App Secret

        session:
          login:
            - request:
                method: POST
                path: /open-apis/auth/v3/tenant_access_token/internal
                json: {app_id: "${secret.app_id}", app_secret: "${secret.app_secret}"}
              success: int(json.code) == 0
              refused: status == 200 && int(json.code) != 0
              capture: {token: json.tenant_access_token, expires_in: json.expire}
          # Missing, wrong and old tokens. 99991672, 99991676 and 99991679 tell of a missing scope: no login helps.
          expired: int(json.code) in [99991661, 99991663, 99991664, 99991668, 99991671, 99991677]
          attach:
            header: {Authorization: "Bearer ${session.token}"}

        envelope:
          ok: int(json.code) == 0
          code: json.code
          message: json.msg
          data: json.?data
          render: {code: "${code.orValue(-1)}", msg: "${message}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}", envelope: {from: "{{upstream}}", to: "{{to}}"}}

        """#
}
