// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let dingtalkBot = #"""
        # DingTalk custom bots with a signing secret. Clients post the message, with access_token in the query.
        #
        #   upstreams:
        #     bot: {url: https://oapi.dingtalk.com, profile: dingtalk-bot}
        #   secrets: {key: {file: secrets/bot}}
        profile: dingtalk-bot
        summary: DingTalk custom bots - time and signature in the query.

        parameters:
          path: {default: "/robot/**", doc: Paths that are forwarded.}

        secrets:
          key: signing secret of the bot (SEC...)

        signature:
          variables: {time: string(time.unixMilli(now)), text: 'vars.time + "\n" + secret.key'}
          attach: {query: {timestamp: "${vars.time}", sign: "${base64.encode(hmac.sha256(secret.key, vars.text))}"}}

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
