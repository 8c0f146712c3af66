// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let aliyunRoa = #"""
        # Alibaba Cloud, ROA style: container service and other products with paths of their own.
        #
        #   upstreams:
        #     cs: {url: https://cs.aliyuncs.com, profile: {name: aliyun-roa, with: {version: "2015-12-15"}}}
        #   secrets: {key_id: {env: ALIYUN_KEY_ID}, key: {file: secrets/aliyun}}
        profile: aliyun-roa
        summary: Alibaba Cloud ROA style - HMAC-SHA1 over headers, path and query, in Authorization.

        parameters:
          version: {doc: "API version of the product, like 2015-12-15."}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: AccessKey ID
          key: AccessKey secret

        signatures:
          stamp:
            attach:
              header:
                Date: ${time.http(now)}
                Content-MD5: ${base64.encode(hash.md5(request.body))}
                x-acs-signature-method: HMAC-SHA1
                x-acs-signature-nonce: ${nonce}
                x-acs-signature-version: "1.0"
                x-acs-version: "{{version}}"
        signature:
          variables:
            lines: >-
              [request.method, request.headers[?"accept"].orValue(""), request.headers("content-md5"),
               request.headers[?"content-type"].orValue(""), request.headers("date")].map(l, l + "\n").join()
            query: pairs.join(pairs.sort(request.query), "=", "&")
            text: >-
              vars.lines + pairs.lines(pairs.sort(pairs.prefixed(request.headers, "x-acs-")), ":") + request.path
              + (vars.query == "" ? "" : "?" + vars.query)
          attach:
            header: {Authorization: "acs ${secret.key_id}:${base64.encode(hmac.sha1(secret.key, vars.text))}"}

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-stamp", "{{upstream}}"]}

        """#
}
