// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let wechatOfficial = #"""
        # WeChat official accounts and mini programs: an access token in the query. A new token ends the old one within minutes, so
        # one gateway should be the only one that asks for it.
        #
        #   upstreams:
        #     wechat: {url: https://api.weixin.qq.com, profile: wechat-official}
        #   secrets: {app_id: {env: WX_APPID}, app_secret: {file: secrets/wx}}
        profile: wechat-official
        summary: WeChat official accounts - access_token in the query, renewed before it ends; errcode tells of a dead one.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}
          to: {default: same, doc: "What clients get: same, standard or problem."}

        secrets:
          app_id: AppID
          app_secret: AppSecret

        session:
          login:
            - request:
                method: GET
                path: /cgi-bin/token
                query: {grant_type: client_credential, appid: "${secret.app_id}", secret: "${secret.app_secret}"}
              success: has(json.access_token)
              # Wrong AppSecret, wrong AppID, an address that is not on the list.
              refused: int(json.errcode) in [40001, 40013, 40125, 40164]
              capture: {token: json.access_token, expires_in: json.expires_in}
          expired: int(json.errcode) in [40001, 40014, 41001, 42001]
          attach:
            query: {access_token: "${session.token}"}

        envelope:
          ok: status == 200 && (!has(json.errcode) || int(json.errcode) == 0)
          code: json.?errcode
          message: json.?errmsg.orValue("")
          data: 'json.omit(json, ["errcode", "errmsg"])'
          render: {errcode: "${code.orValue(-1)}", errmsg: "${message}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}", envelope: {from: "{{upstream}}", to: "{{to}}"}}

        """#
}
