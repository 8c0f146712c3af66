// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let aliyunRpc = #"""
        # Alibaba Cloud, RPC style (signature version 1): ECS, SMS, RDS and other products under /?Action=...
        #
        #   upstreams:
        #     ecs: {url: https://ecs.aliyuncs.com, profile: aliyun-rpc}
        #   secrets: {key_id: {env: ALIYUN_KEY_ID}, key: {file: secrets/aliyun}}
        #
        # curl 'http://localhost:8080/?Action=DescribeRegions&Version=2014-05-26&Format=JSON'
        profile: aliyun-rpc
        summary: Alibaba Cloud RPC style - HMAC-SHA1 over query and form, in the query.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: AccessKey ID
          key: AccessKey secret

        signatures:
          common:
            attach:
              query:
                AccessKeyId: ${secret.key_id}
                SignatureMethod: HMAC-SHA1
                SignatureVersion: "1.0"
                SignatureNonce: ${nonce}
                Timestamp: ${string(now)}
        signature:
          variables:
            text: request.method + "&%2F&" + url.encode(url.canonicalQuery(request.query + request.form))
          attach:
            query: {Signature: "${base64.encode(hmac.sha1(secret.key + '&', vars.text))}"}
          clock_refused: json.Code in ["InvalidTimeStamp.Expired", "InvalidTimeStamp.Format"]
          # "Specified signature is not matched with our calculation. server string to sign is:..."
          echo: json.Message.after("server string to sign is:")

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-common", "{{upstream}}"]}

        """#
}
