// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let tencentTc3 = #"""
        # Tencent Cloud API 3.0 (TC3-HMAC-SHA256). Clients send X-TC-Action, X-TC-Version and X-TC-Region.
        #
        #   upstreams:
        #     cvm: {url: https://cvm.tencentcloudapi.com, profile: {name: tencent-tc3, with: {service: cvm}}}
        #   secrets: {key_id: {env: TENCENT_ID}, key: {file: secrets/tencent}}
        profile: tencent-tc3
        summary: Tencent Cloud API 3.0 - HMAC-SHA256 with a key derived by date and service, in Authorization.

        parameters:
          service: {doc: "Name of the product, the first label of its host: cvm."}
          signed: {default: content-type;host, doc: "Header fields that are signed, in order, separated by ;."}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: SecretId
          key: SecretKey

        signature:
          variables:
            time: string(int(now))
            date: time.format(now, "%Y-%m-%d")
            headers: '"{{signed}}".split(";").map(n, n + ":" + request.headers(n).lowerAscii() + "\n").join()'
            canonical: >-
              [request.method, request.path, request.target.after("?"), vars.headers, "{{signed}}",
               hex.encode(hash.sha256(request.body))].join("\n")
            scope: vars.date + "/{{service}}/tc3_request"
            text: '["TC3-HMAC-SHA256", vars.time, vars.scope, hex.encode(hash.sha256(vars.canonical))].join("\n")'
            key: hmac.sha256(hmac.sha256(hmac.sha256("TC3" + secret.key, vars.date), "{{service}}"), "tc3_request")
          attach:
            header:
              X-TC-Timestamp: ${vars.time}
              Authorization: >-
                TC3-HMAC-SHA256 Credential=${secret.key_id}/${vars.scope}, SignedHeaders={{signed}}, Signature=${
                hex.encode(hmac.sha256(vars.key, vars.text))}
          # Status 200 for every failure.
          clock_refused: json.Response.Error.Code == "AuthFailure.SignatureExpire"

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
