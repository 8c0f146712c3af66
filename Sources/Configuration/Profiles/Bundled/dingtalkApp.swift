// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let dingtalkApp = #"""
        # DingTalk apps of one's own company, the API under api.dingtalk.com.
        #
        #   upstreams:
        #     dingtalk: {url: https://api.dingtalk.com, profile: dingtalk-app}
        #   secrets: {app_key: {env: DING_KEY}, app_secret: {file: secrets/ding}}
        profile: dingtalk-app
        summary: DingTalk apps - access token in a header; a dead one is told with status 400.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          app_key: AppKey (client ID)
          app_secret: AppSecret

        session:
          login:
            - request:
                method: POST
                path: /v1.0/oauth2/accessToken
                json: {appKey: "${secret.app_key}", appSecret: "${secret.app_secret}"}
              success: has(json.accessToken)
              refused: status in [400, 401, 403]
              capture: {token: json.accessToken, expires_in: json.expireIn}
          # status 400 for every mistake; the code tells this one.
          expired: status in [400, 401] && json.code == "InvalidAuthentication"
          attach:
            header: {x-acs-dingtalk-access-token: "${session.token}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
