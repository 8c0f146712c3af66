// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let huobi = #"""
        # HTX (Huobi), spot and futures.
        #
        #   upstreams:
        #     htx: {url: https://api.huobi.pro, profile: huobi}
        #   secrets: {key_id: {env: HTX_KEY}, key: {file: secrets/htx}}
        profile: huobi
        summary: HTX (Huobi) - HMAC-SHA256 over method, host, path and sorted query, in the query.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: access key
          key: secret key

        signatures:
          stamp:
            attach:
              query:
                AccessKeyId: ${secret.key_id}
                SignatureMethod: HmacSHA256
                SignatureVersion: "2"
                Timestamp: ${time.format(now, "%Y-%m-%dT%H:%M:%S")}
        signature:
          variables:
            # The body is not signed.
            text: >-
              [request.method, request.host.lowerAscii(), request.path, url.canonicalQuery(request.query)].join("\n")
          attach:
            query: {Signature: "${base64.encode(hmac.sha256(secret.key, vars.text))}"}

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-stamp", "{{upstream}}"]}

        """#
}
