// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let bitfinex = #"""
        # Bitfinex, authenticated endpoints of version 2. A nonce that only grows.
        #
        #   upstreams:
        #     bitfinex: {url: https://api.bitfinex.com, profile: bitfinex}
        #   secrets: {key_id: {env: BFX_KEY}, key: {file: secrets/bitfinex}}
        profile: bitfinex
        summary: Bitfinex version 2 - HMAC-SHA384 over path, growing nonce and body, in bfx-signature.

        parameters:
          path: {default: "/v2/auth/**", doc: Paths that are forwarded.}

        secrets:
          key_id: API key
          key: API secret

        upstream:
          # Nonces must arrive in the order they were drawn.
          limits: {in_flight: 1}

        signature:
          variables:
            nonce: string(counter.next("{{upstream}}", time.unixMicro(now)))
            text: bytes("/api" + request.path + vars.nonce) + request.body
          attach:
            header:
              bfx-nonce: ${vars.nonce}
              bfx-apikey: ${secret.key_id}
              bfx-signature: ${hex.encode(hmac.sha384(secret.key, vars.text))}

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
