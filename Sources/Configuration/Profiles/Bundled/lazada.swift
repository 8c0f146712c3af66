// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let lazada = #"""
        # Lazada open platform, as one seller that has authorized the application. Tokens come from another host, which signs in the
        # same way.
        #
        #   upstreams:
        #     lazada-login: {url: https://auth.lazada.com/rest}
        #     lazada: {url: https://api.lazada.sg/rest, profile: {name: lazada, with: {server: lazada-login}}}
        #   secrets: {app_key: {env: LAZADA_KEY}, app_secret: {file: secrets/lazada}, refresh_token: {file: secrets/lazada-refresh}}
        #
        # With a store (sessions: {lazada: {store: ...}}) a restart goes on with the newest refresh token.
        profile: lazada
        summary: Lazada open platform - HMAC-SHA256 over path and sorted parameters, in the query.

        parameters:
          server: {doc: "Name of the upstream that is https://auth.lazada.com/rest."}
          path: {default: "/**", doc: Paths that are forwarded.}
          to: {default: same, doc: "What clients get: same, standard or problem."}

        secrets:
          app_key: App Key
          app_secret: App Secret
          refresh_token: refresh token that the authorization brought

        session:
          login:
            - upstream: "{{server}}"
              request: {method: GET, path: /auth/token/refresh, query: {refresh_token: "${secret.refresh_token}"}}
              sign: ["{{upstream}}-stamp", "{{upstream}}"]
              success: has(json.access_token)
              # ISV: a mistake of the caller.
              refused: json.code in ["IllegalRefreshToken", "IncompleteSignature"] || json.type == "ISV"
              capture: &token {token: json.access_token, refresh_token: json.refresh_token, expires_in: json.expires_in}
          refresh:
            - upstream: "{{server}}"
              request: {method: GET, path: /auth/token/refresh, query: {refresh_token: "${session.refresh_token}"}}
              sign: ["{{upstream}}-stamp", "{{upstream}}"]
              success: has(json.access_token)
              capture: *token
          expired: json.code == "IllegalAccessToken"
          attach:
            query: {access_token: "${session.token}"}

        signatures:
          stamp:
            attach:
              query: {app_key: "${secret.app_key}", sign_method: sha256, timestamp: "${time.unixMilli(now)}"}
        signature:
          variables:
            fields: >-
              pairs.sort(pairs.filled(request.query + (size(request.body) == 0 ? [] : request.form)))
            text: request.path.removePrefix("/rest") + pairs.join(vars.fields, "", "")
          attach:
            query: {sign: "${hex.encodeUpper(hmac.sha256(secret.app_secret, vars.text))}"}

        envelope:
          ok: json.code == "0"
          code: json.code
          message: json.?message.orValue("")
          data: json.?data
          render: {code: "${string(code.orValue('SystemError'))}", message: "${message}", type: SYSTEM, request_id: ""}

        routes:
          - {path: "{{path}}", session: "{{upstream}}", sign: ["{{upstream}}-stamp", "{{upstream}}"], envelope: {from: "{{upstream}}", to: "{{to}}"}}

        """#
}
