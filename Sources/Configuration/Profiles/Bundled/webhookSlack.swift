// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let webhookSlack = #"""
        # Sends requests as Slack does.
        #
        #   upstreams:
        #     hook: {url: https://hooks.example.com, profile: webhook-slack}
        #   secrets: {key: {file: secrets/webhook}}
        profile: webhook-slack
        summary: Requests as Slack sends them - HMAC-SHA256 over version, time and body, in X-Slack-Signature.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key: signing secret that is shared with the receiver

        signature:
          variables: {text: 'bytes("v0:" + string(int(now)) + ":") + request.body'}
          attach:
            header:
              X-Slack-Request-Timestamp: ${int(now)}
              X-Slack-Signature: v0=${hex.encode(hmac.sha256(secret.key, vars.text))}

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
