// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let baiduBce = #"""
        # Baidu AI Cloud (BCC, BOS and the other services with an access key), authentication version 1. (The profile baidu-ai is for
        # services with an API key.)
        #
        #   upstreams:
        #     baidu: {url: https://bcc.bj.baidubce.com, profile: baidu-bce}
        #   secrets: {key_id: {env: BCE_KEY_ID}, key: {file: secrets/bce}}
        profile: baidu-bce
        summary: Baidu AI Cloud - bce-auth-v1, HMAC-SHA256 over method, path, query and headers, in Authorization.

        parameters:
          lifetime: {default: "1800", doc: Seconds that a signature holds.}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: access key id
          key: secret access key

        signatures:
          date:
            attach: {header: {x-bce-date: '${time.format(now, "%Y-%m-%dT%H:%M:%SZ")}'}}
        signature:
          variables:
            prefix: '"bce-auth-v1/" + secret.key_id + "/" + request.headers("x-bce-date") + "/{{lifetime}}"'
            known: >-
              pairs.of({"host": request.host}) + pairs.lower(pairs.keep(request.headers, ["content-type", "content-md5",
              "content-length"]) + pairs.prefixed(request.headers, "x-bce-"))
            # A length of 0 may be sent or not.
            fields: >-
              pairs.sort(pairs.encode(pairs.collapse(vars.known.filter(f, f.value != "0" || f.name != "content-length"))))
            text: >-
              [request.method, url.encodePath(url.decode(request.path)), url.canonicalQuery(request.query),
              pairs.join(vars.fields, ":", "\n")].join("\n")
            sign: hex.encode(hmac.sha256(hex.encode(hmac.sha256(secret.key, vars.prefix)), vars.text))
          attach:
            header: {Authorization: '${vars.prefix}/${pairs.names(vars.fields).join(";")}/${vars.sign}'}
          clock_refused: status in [400, 403] && json.code == "RequestExpired"

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-date", "{{upstream}}"]}

        """#
}
