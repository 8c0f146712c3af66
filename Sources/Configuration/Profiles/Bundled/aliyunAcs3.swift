// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let aliyunAcs3 = #"""
        # Alibaba Cloud, signature version 3 (ACS3-HMAC-SHA256), for both styles of its API. Clients send x-acs-action and
        # x-acs-version.
        #
        #   upstreams:
        #     ecs: {url: https://ecs.cn-shanghai.aliyuncs.com, profile: aliyun-acs3}
        #   secrets: {key_id: {env: ALIYUN_KEY_ID}, key: {file: secrets/aliyun}}
        profile: aliyun-acs3
        summary: Alibaba Cloud signature version 3 - HMAC-SHA256 over a canonical request, in Authorization.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: AccessKey ID
          key: AccessKey secret

        signatures:
          stamp:
            attach:
              header:
                x-acs-date: ${string(now)}
                x-acs-signature-nonce: ${nonce}
                x-acs-content-sha256: ${hex.encode(hash.sha256(request.body))}
        signature:
          variables:
            signed: >-
              pairs.sort(pairs.collapse(pairs.lower(
                pairs.keep(request.headers, ["host", "content-type"]) + pairs.prefixed(request.headers, "x-acs-"))))
            names: pairs.names(vars.signed).join(";")
            canonical: >-
              [request.method, request.path, url.canonicalQuery(request.query), pairs.lines(vars.signed, ":"), vars.names,
               request.headers("x-acs-content-sha256")].join("\n")
            text: '"ACS3-HMAC-SHA256\n" + hex.encode(hash.sha256(vars.canonical))'
          attach:
            header:
              Authorization: >-
                ACS3-HMAC-SHA256 Credential=${secret.key_id},SignedHeaders=${vars.names},Signature=${
                hex.encode(hmac.sha256(secret.key, vars.text))}

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-stamp", "{{upstream}}"]}

        """#
}
