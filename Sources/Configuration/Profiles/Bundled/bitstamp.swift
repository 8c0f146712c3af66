// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let bitstamp = #"""
        # Bitstamp, private endpoints of version 2.
        #
        #   upstreams:
        #     bitstamp: {url: https://www.bitstamp.net, profile: bitstamp}
        #   secrets: {key_id: {env: BITSTAMP_KEY}, key: {file: secrets/bitstamp}}
        profile: bitstamp
        summary: Bitstamp version 2 - HMAC-SHA256 over key, method, URL, nonce, time and body, in X-Auth-Signature.

        parameters:
          path: {default: "/api/v2/**", doc: Paths that are forwarded.}

        secrets:
          key_id: API key
          key: API secret

        signatures:
          # Bodies are forms; an empty one must come without a type.
          type:
            attach:
              header:
                Content-Type: '${size(request.body) == 0 ? optional.none() : optional.of("application/x-www-form-urlencoded")}'
        signature:
          variables:
            nonce: random.uuid()
            time: string(time.unixMilli(now))
            text: >-
              bytes("BITSTAMP " + secret.key_id + request.method + request.host + request.target
              + request.headers[?"content-type"].orValue("") + vars.nonce + vars.time + "v2") + request.body
          attach:
            header:
              X-Auth: BITSTAMP ${secret.key_id}
              X-Auth-Nonce: ${vars.nonce}
              X-Auth-Timestamp: ${vars.time}
              X-Auth-Version: v2
              X-Auth-Signature: ${hex.encode(hmac.sha256(secret.key, vars.text))}

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-type", "{{upstream}}"]}

        """#
}
