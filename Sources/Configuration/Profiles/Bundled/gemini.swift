// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let gemini = #"""
        # Gemini, private endpoints. What a client sends as JSON goes into a header, with the path and a nonce that only grows; the
        # body stays empty.
        #
        #   upstreams:
        #     gemini: {url: https://api.gemini.com, profile: gemini}
        #   secrets: {key_id: {env: GEMINI_KEY}, key: {file: secrets/gemini}}
        profile: gemini
        summary: Gemini - the JSON body as X-GEMINI-PAYLOAD with path and growing nonce, HMAC-SHA384 over it.

        parameters:
          path: {default: "/v1/**", doc: Paths that are forwarded.}

        secrets:
          key_id: API key
          key: API secret

        upstream:
          # Nonces must arrive in the order they were drawn.
          limits: {in_flight: 1}

        signature:
          variables:
            own: '{"request": request.path, "nonce": counter.next("{{upstream}}", time.unixMilli(now))}'
            payload: >-
              base64.encode(json.encode(json.merge(size(request.body) == 0 ? {} : request.json, vars.own)))
          attach:
            header:
              Content-Type: text/plain
              Cache-Control: no-cache
              X-GEMINI-APIKEY: ${secret.key_id}
              X-GEMINI-PAYLOAD: ${vars.payload}
              X-GEMINI-SIGNATURE: ${hex.encode(hmac.sha384(secret.key, vars.payload))}
            body: ""

        routes:
          - {path: "{{path}}", methods: [POST], sign: "{{upstream}}"}

        """#
}
