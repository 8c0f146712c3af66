// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let webhookStripe = #"""
        # Sends webhooks as Stripe does.
        #
        #   upstreams:
        #     hook: {url: https://hooks.example.com, profile: webhook-stripe}
        #   secrets: {key: {file: secrets/webhook}}
        profile: webhook-stripe
        summary: Webhooks as Stripe sends them - HMAC-SHA256 over time and body, in Stripe-Signature.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key: secret that is shared with the receiver

        signature:
          variables: {text: 'bytes(string(int(now)) + ".") + request.body'}
          attach: {header: {Stripe-Signature: "t=${int(now)},v1=${hex.encode(hmac.sha256(secret.key, vars.text))}"}}

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
