// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let binance = #"""
        # Binance, signed endpoints. The signature goes into the query, or into the form of clients that post one.
        #
        #   upstreams:
        #     binance: {url: https://api.binance.com, profile: binance}
        #   secrets: {key_id: {env: BINANCE_KEY}, key: {file: secrets/binance}}
        profile: binance
        summary: Binance - HMAC-SHA256 over query and body as they are sent, as their last parameter.

        parameters:
          place: {default: query, doc: "Where time and signature go: query or form."}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: API key
          key: secret key

        signatures:
          stamp:
            attach: {"{{place}}": {timestamp: "${time.unixMilli(now)}"}, header: {X-MBX-APIKEY: "${secret.key_id}"}}
        signature:
          variables: {text: 'bytes(request.target.after("?")) + request.body'}
          attach: {"{{place}}": {signature: "${hex.encode(hmac.sha256(secret.key, vars.text))}"}}
          # Timestamp for this request is outside of the recvWindow.
          clock_refused: status == 400 && int(json.code) == -1021

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-stamp", "{{upstream}}"]}

        """#
}
