// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let wechatJssdk = #"""
        # WeChat JS-SDK: a page asks its own server for the signature that wx.config() wants. The ticket is gained in two steps from
        # WeChat, the request for the page's address (url=...) goes on with noncestr, timestamp and signature beside it.
        #
        #   upstreams:
        #     page: {url: https://www.example.com, profile: {name: wechat-jssdk, with: {server: wechat}}}
        #     wechat: {url: https://api.weixin.qq.com}
        #   secrets: {app_id: {env: WX_APPID}, app_secret: {file: secrets/wx}}
        #
        # A new access token ends the old one within minutes, so one gateway should be the only one that asks for it.
        profile: wechat-jssdk
        summary: WeChat JS-SDK - jsapi_ticket by way of an access token, SHA-1 over ticket and page address, in the query.

        parameters:
          server: {default: "", doc: "Name of the upstream that is https://api.weixin.qq.com; this one without it."}
          url: {default: 'request.query("url")', doc: Expression of the page's address; its fragment is taken off.}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          app_id: AppID
          app_secret: AppSecret

        session:
          login:
            - upstream: "{{server}}"
              request:
                method: GET
                path: /cgi-bin/token
                query: {grant_type: client_credential, appid: "${secret.app_id}", secret: "${secret.app_secret}"}
              success: has(json.access_token)
              # Wrong AppSecret, wrong AppID, an address that is not on the list.
              refused: int(json.errcode) in [40001, 40013, 40125, 40164]
              capture: {token: json.access_token}
            - upstream: "{{server}}"
              request:
                method: GET
                path: /cgi-bin/ticket/getticket
                query: {access_token: "${session.token}", type: jsapi}
              success: int(json.errcode) == 0
              capture: {ticket: json.ticket, expires_in: json.expires_in}

        signature:
          variables:
            text: >-
              "jsapi_ticket=" + session.ticket + "&noncestr=" + nonce + "&timestamp=" + string(int(now))
              + "&url=" + ({{url}}).before("#")
          attach: {query: {noncestr: "${nonce}", timestamp: "${int(now)}", signature: "${hex.encode(hash.sha1(vars.text))}"}}

        routes:
          - {path: "{{path}}", session: "{{upstream}}", sign: "{{upstream}}"}

        """#
}
