// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let shopee = #"""
        # Shopee open platform, version 2, as one shop that has authorized the application. A refresh token serves once and brings the
        # next: give the session a store, so that a restart goes on with it.
        #
        #   upstreams:
        #     shopee: {url: https://partner.shopeemobile.com, profile: {name: shopee, with: {partner: "2001887", shop: "14701711"}}}
        #   secrets: {key: {file: secrets/shopee}, refresh_token: {file: secrets/shopee-refresh}, store_key: {file: secrets/store-key}}
        #   sessions:
        #     shopee:
        #       store:
        #         file: shopee.session
        #         key: ${secret.store_key}
        profile: shopee
        summary: Shopee open platform version 2 - HMAC-SHA256 over partner, path, time, token and shop, in the query.

        parameters:
          partner: {doc: "partner_id, a number."}
          shop: {doc: "shop_id, a number."}
          path: {default: "/api/v2/**", doc: Paths that are forwarded.}
          to: {default: same, doc: "What clients get: same, standard or problem."}

        secrets:
          key: partner key
          refresh_token: refresh token that the authorization brought

        session:
          login:
            - request:
                method: POST
                path: /api/v2/auth/access_token/get
                json: {partner_id: "${ {{partner}} }", shop_id: "${ {{shop}} }", refresh_token: "${secret.refresh_token}"}
              sign: "{{upstream}}"
              success: has(json.access_token)
              # A token that was used or is old, a wrong signature.
              refused: json.error in ["error_auth", "error_sign", "invalid_refresh_token"] || json.message.contains("refresh_token")
              capture: &token {token: json.access_token, refresh_token: json.refresh_token, expires_in: json.expire_in}
          refresh:
            - request:
                method: POST
                path: /api/v2/auth/access_token/get
                json: {partner_id: "${ {{partner}} }", shop_id: "${ {{shop}} }", refresh_token: "${session.refresh_token}"}
              sign: "{{upstream}}"
              success: has(json.access_token)
              refused: json.error in ["error_auth", "error_sign", "invalid_refresh_token"] || json.message.contains("refresh_token")
              capture: *token
          # The platform spells it both ways.
          expired: json.error in ["invalid_access_token", "invalid_acceess_token"] || json.message.contains("Invalid access_token")
          attach:
            query: {access_token: "${session.token}", shop_id: "{{shop}}"}

        signature:
          variables:
            time: string(int(now))
            # Calls about tokens are those of the partner, all others those of the shop.
            who: 'request.path.startsWith("/api/v2/auth/") ? "" : session.token + "{{shop}}"'
            text: '"{{partner}}" + request.path + vars.time + vars.who'
          attach:
            query:
              partner_id: "{{partner}}"
              timestamp: ${vars.time}
              sign: ${hex.encode(hmac.sha256(secret.key, vars.text))}

        envelope:
          ok: json.?error.orValue("") == ""
          code: json.?error
          message: json.?message.orValue("")
          data: json.?response.or(optional.of(json))
          render: {error: "${string(code.orValue('error_server'))}", message: "${message}", request_id: ""}

        routes:
          - {path: "{{path}}", session: "{{upstream}}", sign: "{{upstream}}", envelope: {from: "{{upstream}}", to: "{{to}}"}}

        """#
}
