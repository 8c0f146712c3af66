// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let bitget = #"""
        # Bitget, API version 2.
        #
        #   upstreams:
        #     bitget: {url: https://api.bitget.com, profile: bitget}
        #   secrets: {key_id: {env: BITGET_KEY}, key: {file: secrets/bitget}, passphrase: {file: secrets/bitget-passphrase}}
        profile: bitget
        summary: Bitget - HMAC-SHA256 over time, method, target and body, in ACCESS-SIGN.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: API key
          key: secret key
          passphrase: passphrase of the key

        signature:
          variables:
            time: string(time.unixMilli(now))
            text: bytes(vars.time + request.method + request.target) + request.body
          attach:
            header:
              ACCESS-KEY: ${secret.key_id}
              ACCESS-PASSPHRASE: ${secret.passphrase}
              ACCESS-TIMESTAMP: ${vars.time}
              ACCESS-SIGN: ${base64.encode(hmac.sha256(secret.key, vars.text))}
          # Request timestamp expired.
          clock_refused: int(json.code) == 40008

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
