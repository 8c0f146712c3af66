// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let wechatpayV3 = #"""
        # WeChat Pay version 3: JSON, RSA both ways. A success is handed on only if the platform has signed it, not longer than
        # five minutes ago; refusals, and the files of /v3/billdownload/, come without a signature.
        #
        #   upstreams:
        #     pay: {url: https://api.mch.weixin.qq.com, profile: {name: wechatpay-v3, with: {mchid: "1900007291", serial: 408B}}}
        #   secrets: {private_key: {file: secrets/apiclient_key.pem}, platform_key: {file: secrets/platform.pem}}
        profile: wechatpay-v3
        summary: WeChat Pay version 3 - RSA-SHA256 over method, target, time, nonce and body; a success must be signed by the platform.

        parameters:
          mchid: {doc: Merchant number.}
          serial: {doc: Serial number of the merchant's certificate.}
          path: {default: "/**", doc: Paths that are forwarded.}
          to: {default: same, doc: "What clients get: same, standard or problem."}

        secrets:
          private_key: the merchant's private key (PEM)
          platform_key: the platform's public key (PEM)

        signature:
          variables:
            time: string(int(now))
            text: 'bytes([request.method, request.target, vars.time, nonce, ""].join("\n")) + request.body + b"\n"'
            sign: base64.encode(rsa.sha256(secret.private_key, vars.text))
          attach:
            header:
              Authorization: >-
                WECHATPAY2-SHA256-RSA2048 mchid="{{mchid}}",nonce_str="${nonce}",signature="${vars.sign}",timestamp="${
                vars.time}",serial_no="{{serial}}"

        envelope:
          verify: >-
            status >= 300 || request.path.startsWith("/v3/billdownload/")
            || math.abs(int(now) - int(headers("wechatpay-timestamp"))) <= 300 && rsa.verifySha256(secret.platform_key,
            headers("wechatpay-timestamp") + "\n" + headers("wechatpay-nonce") + "\n" + text + "\n",
            base64.decode(headers("wechatpay-signature")))
          code: json.?code
          message: json.?message
          data: json

        routes:
          - {path: "{{path}}", sign: "{{upstream}}", envelope: {from: "{{upstream}}", to: "{{to}}"}}

        """#
}
