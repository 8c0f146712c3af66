// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let aliyunOss = #"""
        # Alibaba Cloud OSS, header signature version 1. The bucket is the first label of the host.
        #
        #   upstreams:
        #     files: {url: https://BUCKET.oss-cn-hangzhou.aliyuncs.com, profile: aliyun-oss}
        #   secrets: {key_id: {env: ALIYUN_KEY_ID}, key: {file: secrets/aliyun}}
        profile: aliyun-oss
        summary: Alibaba Cloud OSS, one bucket - HMAC-SHA1 over headers and resource, in Authorization.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: AccessKey ID
          key: AccessKey secret

        signatures:
          date:
            attach: {header: {Date: "${time.http(now)}"}}
        signature:
          variables:
            lines: >-
              [request.method, request.headers[?"content-md5"].orValue(""), request.headers[?"content-type"].orValue(""),
               request.headers("date")].map(l, l + "\n").join()
            signed: pairs.sort(pairs.lower(pairs.prefixed(request.headers, "x-oss-")))
            # Sub-resources are signed, other parameters are not.
            resources: >-
              pairs.sort(pairs.keep(request.query, ["acl", "uploads", "location", "cors", "logging", "website", "lifecycle",
              "delete", "append", "tagging", "objectMeta", "uploadId", "partNumber", "security-token", "position"]))
              .map(p, p.value == "" ? p.name : p.name + "=" + p.value).join("&")
            text: >-
              vars.lines + pairs.lines(vars.signed, ":") + "/" + request.host.before(".") + request.path
              + (vars.resources == "" ? "" : "?" + vars.resources)
          attach:
            header: {Authorization: "OSS ${secret.key_id}:${base64.encode(hmac.sha1(secret.key, vars.text))}"}

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-date", "{{upstream}}"]}

        """#
}
