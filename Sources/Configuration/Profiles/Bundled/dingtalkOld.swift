// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let dingtalkOld = #"""
        # DingTalk's older server API (oapi.dingtalk.com), of apps of one's own company. (The newer one is the profile dingtalk-app.)
        #
        #   upstreams:
        #     dingtalk: {url: https://oapi.dingtalk.com, profile: dingtalk-old}
        #   secrets: {app_key: {env: DING_KEY}, app_secret: {file: secrets/ding}}
        profile: dingtalk-old
        summary: DingTalk's older API - access_token in the query; errcode tells of a dead one.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}
          to: {default: same, doc: "What clients get: same, standard or problem."}

        secrets:
          app_key: AppKey
          app_secret: AppSecret

        session:
          login:
            - request:
                method: GET
                path: /gettoken
                query: {appkey: "${secret.app_key}", appsecret: "${secret.app_secret}"}
              success: int(json.errcode) == 0
              # Wrong key or secret.
              refused: int(json.errcode) in [40089, 40096]
              capture: {token: json.access_token, expires_in: json.expires_in}
          # Invalid and old; 88 wraps the code of the API itself.
          expired: int(json.errcode) in [40014, 42001] || int(json.errcode) == 88 && int(json.sub_code) in [40014, 42001]
          attach:
            query: {access_token: "${session.token}"}

        envelope:
          ok: int(json.errcode) == 0
          code: json.?errcode
          message: json.?errmsg.orValue("")
          data: 'json.omit(json, ["errcode", "errmsg", "request_id"])'
          render: {errcode: "${code.orValue(-1)}", errmsg: "${message}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}", envelope: {from: "{{upstream}}", to: "{{to}}"}}

        """#
}
