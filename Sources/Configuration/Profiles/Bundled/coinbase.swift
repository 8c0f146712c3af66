// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let coinbase = #"""
        # Coinbase Exchange.
        #
        #   upstreams:
        #     coinbase: {url: https://api.exchange.coinbase.com, profile: coinbase}
        #   secrets: {key_id: {env: CB_KEY}, key: {file: secrets/cb-secret}, passphrase: {file: secrets/cb-passphrase}}
        profile: coinbase
        summary: Coinbase Exchange - HMAC-SHA256 over time, method, target and body, in CB-ACCESS-SIGN.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: API key
          key: secret (base 64)
          passphrase: passphrase of the key

        signature:
          variables:
            time: string(int(now))
            text: bytes(vars.time + request.method + request.target) + request.body
          attach:
            header:
              CB-ACCESS-KEY: ${secret.key_id}
              CB-ACCESS-PASSPHRASE: ${secret.passphrase}
              CB-ACCESS-TIMESTAMP: ${vars.time}
              CB-ACCESS-SIGN: ${base64.encode(hmac.sha256(base64.decode(secret.key), vars.text))}
          clock_refused: status == 401 && json.message.contains("timestamp expired")

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
