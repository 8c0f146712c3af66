// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let wecom = #"""
        # WeCom (WeChat Work): an access token of one app in the query.
        #
        #   upstreams:
        #     wecom: {url: https://qyapi.weixin.qq.com, profile: wecom}
        #   secrets: {corp_id: {env: CORP_ID}, app_secret: {file: secrets/wecom}}
        profile: wecom
        summary: WeCom - as wechat-official, with the token of a company's app.
        extends: wechat-official

        secrets:
          app_id: null
          corp_id: id of the company

        session:
          login:
            - request:
                method: GET
                path: /cgi-bin/gettoken
                query: {corpid: "${secret.corp_id}", corpsecret: "${secret.app_secret}"}
              success: has(json.access_token)
              # Wrong secret, wrong company, an address that is not on the list.
              refused: int(json.errcode) in [40001, 40013, 40091, 60020]
              capture: {token: json.access_token, expires_in: json.expires_in}
          expired: int(json.errcode) in [40014, 41001, 42001]

        """#
}
