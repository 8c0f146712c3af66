// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let wechatPush = #"""
        # Sends messages as WeChat's servers push them to an account's own server.
        #
        #   upstreams:
        #     account: {url: https://www.example.com, profile: wechat-push}
        #   secrets: {token: {file: secrets/push-token}}
        profile: wechat-push
        summary: WeChat message push - SHA-1 over token, time and nonce in their order as texts, in the query.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          token: Token of the account's server settings

        signature:
          variables: {text: "[secret.token, string(int(now)), nonce].sort().join()"}
          attach: {query: {nonce: "${nonce}", timestamp: "${int(now)}", signature: "${hex.encode(hash.sha1(vars.text))}"}}

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
