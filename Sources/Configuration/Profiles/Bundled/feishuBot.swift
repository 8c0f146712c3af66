// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let feishuBot = #"""
        # Feishu (Lark) custom bots with a signing secret. Clients post the message alone.
        #
        #   upstreams:
        #     bot: {url: https://open.feishu.cn, profile: feishu-bot}
        #   secrets: {key: {file: secrets/bot}}
        profile: feishu-bot
        summary: Feishu custom bots - time and signature as members of the message.

        parameters:
          path: {default: "/open-apis/bot/**", doc: Paths that are forwarded.}

        secrets:
          key: signing secret of the bot

        signature:
          # The key holds the time; the message is empty.
          variables: {time: string(int(now)), key: 'vars.time + "\n" + secret.key'}
          attach: {json: {timestamp: "${vars.time}", sign: "${base64.encode(hmac.sha256(vars.key, ''))}"}}

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
