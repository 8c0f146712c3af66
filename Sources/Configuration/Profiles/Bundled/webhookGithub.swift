// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let webhookGithub = #"""
        # Sends webhooks as GitHub does.
        #
        #   upstreams:
        #     hook: {url: https://hooks.example.com, profile: webhook-github}
        #   secrets: {key: {file: secrets/webhook}}
        profile: webhook-github
        summary: Webhooks as GitHub sends them - HMAC-SHA256 over the body, in X-Hub-Signature-256.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key: secret that is shared with the receiver

        signature:
          attach: {header: {X-Hub-Signature-256: "sha256=${hex.encode(hmac.sha256(secret.key, request.body))}"}}

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
