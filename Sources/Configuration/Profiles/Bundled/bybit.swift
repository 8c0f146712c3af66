// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let bybit = #"""
        # Bybit, API version 5.
        #
        #   upstreams:
        #     bybit: {url: https://api.bybit.com, profile: bybit}
        #   secrets: {key_id: {env: BYBIT_KEY}, key: {file: secrets/bybit}}
        profile: bybit
        summary: Bybit version 5 - HMAC-SHA256 over time, key, window and query or body, in X-BAPI-SIGN.

        parameters:
          window: {default: "5000", doc: Milliseconds for which a request is good (recv_window).}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: API key
          key: secret key

        signature:
          variables:
            time: string(time.unixMilli(now))
            payload: 'request.method == "GET" ? bytes(request.target.after("?")) : request.body'
          attach:
            header:
              X-BAPI-API-KEY: ${secret.key_id}
              X-BAPI-TIMESTAMP: ${vars.time}
              X-BAPI-RECV-WINDOW: "{{window}}"
              X-BAPI-SIGN: ${hex.encode(hmac.sha256(secret.key, bytes(vars.time + secret.key_id + '{{window}}') + vars.payload))}
          # Outside of the time window.
          clock_refused: int(json.retCode) == 10002

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
