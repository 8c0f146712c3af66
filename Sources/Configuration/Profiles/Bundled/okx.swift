// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let okx = #"""
        # OKX, API version 5.
        #
        #   upstreams:
        #     okx: {url: https://www.okx.com, profile: okx}
        #   secrets: {key_id: {env: OKX_KEY}, key: {file: secrets/okx}, passphrase: {file: secrets/okx-passphrase}}
        profile: okx
        summary: OKX version 5 - HMAC-SHA256 over time, method, target and body, in OK-ACCESS-SIGN.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: API key
          key: secret key
          passphrase: passphrase of the key

        signature:
          variables:
            time: time.format(now, "%Y-%m-%dT%H:%M:%S.%LZ")
            text: bytes(vars.time + request.method + request.target) + request.body
          attach:
            header:
              OK-ACCESS-KEY: ${secret.key_id}
              OK-ACCESS-PASSPHRASE: ${secret.passphrase}
              OK-ACCESS-TIMESTAMP: ${vars.time}
              OK-ACCESS-SIGN: ${base64.encode(hmac.sha256(secret.key, vars.text))}
          # Timestamp request expired.
          clock_refused: int(json.code) == 50102

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
