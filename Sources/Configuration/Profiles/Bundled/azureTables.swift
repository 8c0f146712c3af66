// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let azureTables = #"""
        # Azure Table Storage with the account's key. Clients send x-ms-version. (Cosmos DB's Table API takes the same.)
        #
        #   upstreams:
        #     tables: {url: https://ACCOUNT.table.core.windows.net, profile: azure-tables}
        #   secrets: {key: {file: secrets/account-key}}
        profile: azure-tables
        summary: Azure Table Storage SharedKeyLite - HMAC-SHA256 over date and resource, in Authorization.

        parameters:
          account: {default: 'request.host.before(".")', doc: Expression of the account's name; by itself the first label of the host.}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key: account key (base 64)

        signatures:
          date:
            attach: {header: {x-ms-date: "${time.http(now)}"}}
        signature:
          variables:
            account: '{{account}}'
            # Of the query only comp is signed.
            text: >-
              request.headers("x-ms-date") + "\n/" + vars.account + request.path
              + request.query[?"comp"].optMap(c, "?comp=" + c).orValue("")
          attach:
            header:
              Authorization: SharedKeyLite ${vars.account}:${base64.encode(hmac.sha256(base64.decode(secret.key), vars.text))}

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-date", "{{upstream}}"]}

        """#
}
