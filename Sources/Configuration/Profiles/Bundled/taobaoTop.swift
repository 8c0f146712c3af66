// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let taobaoTop = #"""
        # Taobao Open Platform (TOP) and its kin. Clients post forms without timestamp and sign, and with sign_method: md5, hmac or
        # hmac-sha256.
        #
        #   upstreams:
        #     top: {url: https://eco.taobao.com, profile: taobao-top}
        #   secrets: {key: {file: secrets/app-secret}}
        profile: taobao-top
        summary: Taobao Open Platform - names and values without separators, MD5 or HMAC, in the form.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key: app secret

        signatures:
          time:
            attach: {form: {timestamp: "${time.format(now, '%Y-%m-%d %H:%M:%S', '+08:00')}"}}
        signature:
          variables:
            pairs: pairs.join(pairs.sort(pairs.filled(request.query + request.form)), "", "")
            method: request.form("sign_method")
            text: 'vars.method == "md5" ? secret.key + vars.pairs + secret.key : vars.pairs'
            digest: >-
              vars.method == "md5" ? hash.md5(vars.text)
              : vars.method == "hmac" ? hmac.md5(secret.key, vars.text) : hmac.sha256(secret.key, vars.text)
          attach: {form: {sign: "${hex.encodeUpper(vars.digest)}"}}

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-time", "{{upstream}}"]}

        """#
}
