// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let tencentCos = #"""
        # Tencent Cloud COS (object storage), one bucket: its own host.
        #
        #   upstreams:
        #     files: {url: https://BUCKET-APPID.cos.ap-guangzhou.myqcloud.com, profile: tencent-cos}
        #   secrets: {key_id: {env: TENCENT_KEY_ID}, key: {file: secrets/tencent}}
        profile: tencent-cos
        summary: Tencent Cloud COS - HMAC-SHA1 over method, path, query and headers, in Authorization.

        parameters:
          lifetime: {default: "900", doc: Seconds that a signature holds.}
          body: {default: 512MiB, doc: Largest upload.}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: SecretId
          key: SecretKey

        signature:
          variables:
            # A minute back, for clocks that differ.
            time: string(int(now) - 60) + ";" + string(int(now) + {{lifetime}})
            query: >-
              pairs.sort(request.query.map(p, {"name": url.encode(p.name).lowerAscii(), "value": url.encode(p.value)}))
            known: >-
              pairs.of({"host": request.host}) + pairs.lower(pairs.keep(request.headers, ["content-type", "content-md5",
              "content-length", "date"]) + pairs.prefixed(request.headers, "x-cos-"))
            # A length of 0 may be sent or not.
            fields: >-
              pairs.sort(pairs.encode(vars.known.filter(f, f.value != "0" || f.name != "content-length")))
            http: >-
              [request.method.lowerAscii(), url.decode(request.path), pairs.join(vars.query, "=", "&"),
              pairs.join(vars.fields, "=", "&"), ""].join("\n")
            text: >-
              ["sha1", vars.time, hex.encode(hash.sha1(vars.http)), ""].join("\n")
            sign: hex.encode(hmac.sha1(hex.encode(hmac.sha1(secret.key, vars.time)), vars.text))
          attach:
            header:
              Authorization: >-
                q-sign-algorithm=sha1&q-ak=${secret.key_id}&q-sign-time=${vars.time}&q-key-time=${vars.time}&q-header-list=${
                pairs.names(vars.fields).join(";")}&q-url-param-list=${pairs.names(vars.query).join(";")}&q-signature=${vars.sign}
          clock_refused: status == 403 && xml.Error.Code == "RequestTimeTooSkewed"

        routes:
          - {path: "{{path}}", sign: "{{upstream}}", limits: {body: "{{body}}"}}

        """#
}
