// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let azureSharedkey = #"""
        # Azure Storage (blobs, queues, files) with the account's key. Clients send x-ms-version.
        #
        #   upstreams:
        #     blob: {url: https://ACCOUNT.blob.core.windows.net, profile: azure-sharedkey}
        #   secrets: {key: {file: secrets/account-key}}
        profile: azure-sharedkey
        summary: Azure Storage SharedKey - HMAC-SHA256 over headers and resource, in Authorization.

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
            lines: >-
              ["content-encoding", "content-language", "content-length", "content-md5", "content-type", "date",
               "if-modified-since", "if-match", "if-none-match", "if-unmodified-since", "range"]
              .map(n, request.headers[?n].orValue("")).map(v, (v == "0" ? "" : v) + "\n").join()
            account: '{{account}}'
            query: >-
              pairs.sort(pairs.merge(pairs.sort(pairs.lower(request.query)), ",")).map(p, "\n" + p.name + ":" + p.value).join()
            text: >-
              request.method + "\n" + vars.lines + pairs.lines(pairs.sort(pairs.lower(pairs.prefixed(request.headers, "x-ms-"))), ":")
              + "/" + vars.account + request.path + vars.query
          attach:
            header:
              Authorization: SharedKey ${vars.account}:${base64.encode(hmac.sha256(base64.decode(secret.key), vars.text))}

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-date", "{{upstream}}"]}

        """#
}
