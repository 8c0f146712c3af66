// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let jdcloud = #"""
        # JD Cloud's OpenAPI.
        #
        #   upstreams:
        #     vm: {url: https://vm.jdcloud-api.com, profile: {name: jdcloud, with: {service: vm, region: cn-north-1}}}
        #   secrets: {key_id: {env: JDCLOUD_KEY_ID}, key: {file: secrets/jdcloud}}
        profile: jdcloud
        summary: JD Cloud - JDCLOUD2-HMAC-SHA256 over method, path, query, headers and body, in Authorization.

        parameters:
          service: {doc: "Service, the first label of the host."}
          region: {default: jdcloud-api, doc: "Region, like cn-north-1, of services that have some."}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: access key
          key: secret key

        signatures:
          stamp:
            attach:
              header:
                x-jdcloud-date: ${time.format(now, "%Y%m%dT%H%M%SZ")}
                x-jdcloud-nonce: ${random.uuid()}
        signature:
          variables:
            known: >-
              pairs.of({"host": request.host})
              + pairs.lower(pairs.keep(request.headers, ["content-type", "x-jdcloud-date", "x-jdcloud-nonce"]))
            fields: pairs.sort(pairs.collapse(vars.known))
            names: pairs.names(vars.fields).join(";")
            date: request.headers("x-jdcloud-date")
            scope: '[vars.date.left(8), "{{region}}", "{{service}}", "jdcloud2_request"].join("/")'
            request: >-
              [request.method, url.encodePath(url.decode(request.path)), url.canonicalQuery(request.query),
              pairs.lines(vars.fields, ":"), vars.names, hex.encode(hash.sha256(request.body))].join("\n")
            text: >-
              ["JDCLOUD2-HMAC-SHA256", vars.date, vars.scope, hex.encode(hash.sha256(vars.request))].join("\n")
            key: vars.scope.split("/").reduce(key, part, hmac.sha256(key, part), bytes("JDCLOUD2" + secret.key))
            sign: hex.encode(hmac.sha256(vars.key, vars.text))
          attach:
            header:
              Authorization: >-
                JDCLOUD2-HMAC-SHA256 Credential=${secret.key_id}/${vars.scope}, SignedHeaders=${vars.names}, Signature=${vars.sign}

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-stamp", "{{upstream}}"]}

        """#
}
