// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let bitmex = #"""
        # BitMEX.
        #
        #   upstreams:
        #     bitmex: {url: https://www.bitmex.com, profile: bitmex}
        #   secrets: {key_id: {env: BITMEX_KEY}, key: {file: secrets/bitmex}}
        profile: bitmex
        summary: BitMEX - HMAC-SHA256 over method, target, time of expiry and body, in api-signature.

        parameters:
          lifetime: {default: "30", doc: Seconds that a signature holds.}
          path: {default: "/api/v1/**", doc: Paths that are forwarded.}

        secrets:
          key_id: API key ID
          key: API secret

        signature:
          variables:
            expires: string(int(now) + {{lifetime}})
            text: bytes(request.method + request.target + vars.expires) + request.body
          attach:
            header:
              api-expires: ${vars.expires}
              api-key: ${secret.key_id}
              api-signature: ${hex.encode(hmac.sha256(secret.key, vars.text))}
          clock_refused: status == 401 && json.error.message.contains("expired")

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
