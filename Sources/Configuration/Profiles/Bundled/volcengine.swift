// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let volcengine = #"""
        # Volcengine (ByteDance's cloud).
        #
        #   upstreams:
        #     iam: {url: https://iam.volcengineapi.com, profile: {name: volcengine, with: {service: iam}}}
        #   secrets: {key_id: {env: VOLC_AK}, key: {file: secrets/volc-sk}}
        profile: volcengine
        summary: Volcengine - SigV4 with other words, in Authorization.

        parameters:
          service: {doc: "Name of the product, like iam."}
          region: {default: cn-north-1, doc: Region.}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: access key id
          key: secret access key

        signatures:
          stamp:
            attach:
              header:
                X-Date: ${time.format(now, "%Y%m%dT%H%M%SZ")}
                X-Content-Sha256: ${hex.encode(hash.sha256(request.body))}
        signature:
          variables:
            signed: >-
              pairs.sort(pairs.collapse(pairs.lower(
                pairs.keep(request.headers, ["content-type", "host", "x-content-sha256", "x-date"]))))
            names: pairs.names(vars.signed).join(";")
            canonical: >-
              [request.method, request.path, url.canonicalQuery(request.query), pairs.lines(vars.signed, ":"), vars.names,
               request.headers("x-content-sha256")].join("\n")
            scope: '[time.format(now, "%Y%m%d"), "{{region}}", "{{service}}", "request"]'
            text: >-
              ["HMAC-SHA256", request.headers("x-date"), vars.scope.join("/"), hex.encode(hash.sha256(vars.canonical))].join("\n")
            day: hmac.sha256(secret.key, vars.scope[0])
            key: hmac.sha256(hmac.sha256(hmac.sha256(vars.day, vars.scope[1]), vars.scope[2]), vars.scope[3])
          attach:
            header:
              Authorization: >-
                HMAC-SHA256 Credential=${secret.key_id}/${vars.scope.join("/")}, SignedHeaders=${vars.names}, Signature=${
                hex.encode(hmac.sha256(vars.key, vars.text))}

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-stamp", "{{upstream}}"]}

        """#
}
