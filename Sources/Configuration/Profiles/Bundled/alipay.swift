// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let alipay = #"""
        # Alipay Open Platform, RSA2. Clients post forms without timestamp and sign.
        #
        #   upstreams:
        #     alipay: {url: https://openapi.alipay.com, profile: alipay}
        #   secrets: {private_key: {file: secrets/app-private-key.pem}}
        profile: alipay
        summary: Alipay Open Platform (RSA2) - the sorted form under RSA-SHA256, in the form.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          private_key: the app's private key (PEM)

        signatures:
          time:
            attach: {form: {timestamp: "${time.format(now, '%Y-%m-%d %H:%M:%S', '+08:00')}"}}
        signature:
          variables:
            text: pairs.join(pairs.sort(pairs.filled(request.form)), "=", "&")
          attach: {form: {sign: "${base64.encode(rsa.sha256(secret.private_key, vars.text))}"}}

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-time", "{{upstream}}"]}

        """#
}
