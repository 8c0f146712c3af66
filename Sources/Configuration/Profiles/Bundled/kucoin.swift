// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let kucoin = #"""
        # KuCoin, API keys of version 2 and 3.
        #
        #   upstreams:
        #     kucoin: {url: https://api.kucoin.com, profile: kucoin}
        #   secrets: {key_id: {env: KC_KEY}, key: {file: secrets/kucoin}, passphrase: {file: secrets/kucoin-passphrase}}
        profile: kucoin
        summary: KuCoin - HMAC-SHA256 over time, method, target and body, in KC-API-SIGN.

        parameters:
          version: {default: "2", doc: "Version of the key, as the site shows it."}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: API key
          key: secret
          passphrase: passphrase of the key

        signature:
          variables:
            time: string(time.unixMilli(now))
            text: bytes(vars.time + request.method + request.target) + request.body
          attach:
            header:
              KC-API-KEY: ${secret.key_id}
              KC-API-TIMESTAMP: ${vars.time}
              KC-API-PASSPHRASE: ${base64.encode(hmac.sha256(secret.key, secret.passphrase))}
              KC-API-SIGN: ${base64.encode(hmac.sha256(secret.key, vars.text))}
              KC-API-KEY-VERSION: "{{version}}"
          clock_refused: int(json.code) == 400002

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
