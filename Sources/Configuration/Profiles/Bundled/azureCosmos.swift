// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let azureCosmos = #"""
        # Azure Cosmos DB with the master key. Clients send x-ms-version.
        #
        #   upstreams:
        #     cosmos: {url: https://ACCOUNT.documents.azure.com, profile: azure-cosmos}
        #   secrets: {key: {file: secrets/master-key}}
        profile: azure-cosmos
        summary: Azure Cosmos DB - HMAC-SHA256 over method, resource and date with the master key, in Authorization.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key: master key (base 64)

        signature:
          variables:
            date: time.http(now)
            # /dbs/a/colls/b names a resource, /dbs/a/colls the collection above it.
            parts: request.segments
            isItem: size(vars.parts) % 2 == 0
            type: 'vars.isItem ? vars.parts[size(vars.parts) - 2] : vars.parts[size(vars.parts) - 1]'
            link: '(vars.isItem ? vars.parts : vars.parts.slice(0, size(vars.parts) - 1)).join("/")'
            text: >-
              [request.method.lowerAscii(), vars.type.lowerAscii(), vars.link, vars.date.lowerAscii(), "", ""].join("\n")
            sign: base64.encode(hmac.sha256(base64.decode(secret.key), vars.text))
          attach:
            header:
              x-ms-date: ${vars.date}
              Authorization: ${url.encodeLower("type=master&ver=1.0&sig=" + vars.sign)}

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
