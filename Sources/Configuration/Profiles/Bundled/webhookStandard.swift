// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let webhookStandard = #"""
        # Sends webhooks by the Standard Webhooks specification.
        #
        #   upstreams:
        #     hook: {url: https://hooks.example.com, profile: webhook-standard}
        #   secrets: {key: {file: secrets/webhook}}
        profile: webhook-standard
        summary: Standard Webhooks - HMAC-SHA256 over id, time and body, in webhook-signature.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key: secret that is shared with the receiver, whsec_ and base 64

        signature:
          variables:
            id: '"msg_" + nonce'
            time: string(int(now))
            text: 'bytes(vars.id + "." + vars.time + ".") + request.body'
            key: base64.decode(secret.key.removePrefix("whsec_"))
          attach:
            header:
              webhook-id: ${vars.id}
              webhook-timestamp: ${vars.time}
              webhook-signature: v1,${base64.encode(hmac.sha256(vars.key, vars.text))}

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
