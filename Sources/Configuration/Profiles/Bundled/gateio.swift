// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let gateio = #"""
        # Gate.io, API version 4.
        #
        #   upstreams:
        #     gate: {url: https://api.gateio.ws, profile: gateio}
        #   secrets: {key_id: {env: GATE_KEY}, key: {file: secrets/gate}}
        profile: gateio
        summary: Gate.io version 4 - HMAC-SHA512 over five lines, in SIGN.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: API key
          key: secret

        signature:
          variables:
            time: string(int(now))
            text: >-
              [request.method, request.path, request.target.after("?"), hex.encode(hash.sha512(request.body)), vars.time].join("\n")
          attach:
            header:
              KEY: ${secret.key_id}
              Timestamp: ${vars.time}
              SIGN: ${hex.encode(hmac.sha512(secret.key, vars.text))}

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
