// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let kraken = #"""
        # Kraken, private endpoints. A nonce that only grows is put first into the form.
        #
        #   upstreams:
        #     kraken: {url: https://api.kraken.com, profile: kraken}
        #   secrets: {key_id: {env: KRAKEN_KEY}, key: {file: secrets/kraken}}
        profile: kraken
        summary: Kraken - SHA-256 inside HMAC-SHA512 with a growing nonce, in API-Sign.

        parameters:
          path: {default: "/0/private/**", doc: Paths that are forwarded.}

        secrets:
          key_id: API key
          key: private key (base 64)

        upstream:
          # Nonces must arrive in the order they were drawn.
          limits: {in_flight: 1}
          # A call without parameters becomes a form too.
          attach: {header: {Content-Type: application/x-www-form-urlencoded}}

        signatures:
          nonce:
            attach: {body: '${"nonce=" + string(counter.next("{{upstream}}", time.unixMilli(now))) + "&" + string(request.body)}'}
        signature:
          variables:
            digest: hash.sha256(request.form("nonce") + string(request.body))
            text: bytes(request.path) + vars.digest
          attach:
            header:
              API-Key: ${secret.key_id}
              API-Sign: ${base64.encode(hmac.sha512(base64.decode(secret.key), vars.text))}

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-nonce", "{{upstream}}"]}

        """#
}
