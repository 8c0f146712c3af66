// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let wechatpayV2 = #"""
        # WeChat Pay version 2: XML bodies. Clients send the XML without nonce_str and sign.
        #
        #   upstreams:
        #     pay: {url: https://api.mch.weixin.qq.com, profile: wechatpay-v2}
        #   secrets: {key: {file: secrets/api-key}}
        profile: wechatpay-v2
        summary: WeChat Pay version 2 - the elements of an XML body under MD5 or HMAC-SHA256, as one more element.

        parameters:
          digest: {default: "hash.md5(vars.text)", doc: "Expression of the digest; hmac.sha256(secret.key, vars.text) goes with sign_type HMAC-SHA256."}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key: API key of the merchant

        signatures:
          nonce:
            attach: {xml: {nonce_str: "${nonce}"}}
        signature:
          variables:
            text: pairs.join(pairs.sort(pairs.filled(xml.fields(request.body))), "=", "&") + "&key=" + secret.key
          attach: {xml: {sign: "${hex.encodeUpper({{digest}})}"}}

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-nonce", "{{upstream}}"]}

        """#
}
