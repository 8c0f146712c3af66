// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let aliyunApiGateway = #"""
        # APIs behind Alibaba Cloud's API Gateway (x-ca-*), of whatever vendor.
        #
        #   upstreams:
        #     weather: {url: https://weather.example.com, profile: aliyun-api-gateway}
        #   secrets: {key_id: {env: APP_KEY}, key: {file: secrets/app-secret}}
        profile: aliyun-api-gateway
        summary: APIs behind Alibaba Cloud API Gateway - HMAC-SHA256 over headers, path, query and form, in X-Ca-Signature.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: AppKey
          key: AppSecret

        signatures:
          stamp:
            attach:
              header:
                X-Ca-Key: ${secret.key_id}
                X-Ca-Nonce: ${nonce}
                X-Ca-Timestamp: ${time.unixMilli(now)}
                X-Ca-Signature-Method: HmacSHA256
                # Only for bodies that are no form.
                Content-MD5: >-
                  ${size(request.form) > 0 ? optional.none() : optional.of(base64.encode(hash.md5(request.body)))}
        signature:
          variables:
            fixed: >-
              ["accept", "content-md5", "content-type", "date"].map(n, request.headers[?n].orValue("") + "\n").join()
            signed: pairs.sort(pairs.lower(pairs.prefixed(request.headers, "x-ca-")))
            fields: >-
              pairs.sort(request.query + request.form).map(p, p.value == "" ? p.name : p.name + "=" + p.value).join("&")
            text: >-
              request.method + "\n" + vars.fixed + pairs.lines(vars.signed, ":") + request.path
              + (vars.fields == "" ? "" : "?" + vars.fields)
          attach:
            header:
              X-Ca-Signature-Headers: ${pairs.names(vars.signed).join(",")}
              X-Ca-Signature: ${base64.encode(hmac.sha256(secret.key, vars.text))}
          # The gateway tells its own string, with # for line ends.
          echo: headers("x-ca-error-message").after("Server StringToSign:`").before("`").replace("#", "\n")

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-stamp", "{{upstream}}"]}

        """#
}
