// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let huawei = #"""
        # Huawei Cloud (SDK-HMAC-SHA256), and APIs behind its API gateway.
        #
        #   upstreams:
        #     vpc: {url: https://vpc.cn-north-4.myhuaweicloud.com, profile: huawei}
        #   secrets: {key_id: {env: HUAWEI_AK}, key: {file: secrets/huawei-sk}}
        profile: huawei
        summary: Huawei Cloud - HMAC-SHA256 over a canonical request, in Authorization.

        parameters:
          signed: {default: '"content-type", "host", "x-sdk-date"', doc: "Header fields that are signed where they are there, as texts of a list."}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: access key (AK)
          key: secret key (SK)

        signatures:
          date:
            attach: {header: {X-Sdk-Date: "${time.format(now, '%Y%m%dT%H%M%SZ')}"}}
        signature:
          variables:
            signed: pairs.sort(pairs.collapse(pairs.lower(pairs.keep(request.headers, [{{signed}}]))))
            names: pairs.names(vars.signed).join(";")
            # The canonical path ends with a slash.
            canonical: >-
              [request.method, url.encodePath(url.decode(request.path)).ensureSuffix("/"), url.canonicalQuery(request.query),
               pairs.lines(vars.signed, ":"), vars.names, hex.encode(hash.sha256(request.body))].join("\n")
            text: >-
              ["SDK-HMAC-SHA256", request.headers("x-sdk-date"), hex.encode(hash.sha256(vars.canonical))].join("\n")
          attach:
            header:
              Authorization: >-
                SDK-HMAC-SHA256 Access=${secret.key_id}, SignedHeaders=${vars.names}, Signature=${
                hex.encode(hmac.sha256(secret.key, vars.text))}

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-date", "{{upstream}}"]}

        """#
}
