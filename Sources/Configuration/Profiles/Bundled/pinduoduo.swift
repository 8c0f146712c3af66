// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let pinduoduo = #"""
        # Pinduoduo open platform, as one shop that has authorized the application: forms to /api/router, with type.
        #
        #   upstreams:
        #     pdd: {url: https://gw-api.pinduoduo.com, profile: pinduoduo}
        #   secrets: {client_id: {env: PDD_ID}, client_secret: {file: secrets/pdd}, refresh_token: {file: secrets/pdd-refresh}}
        #
        # With a store (sessions: {pdd: {store: ...}}) a restart goes on with the newest refresh token.
        profile: pinduoduo
        summary: Pinduoduo open platform - MD5 between the secrets over the sorted form, access_token in it.

        parameters:
          path: {default: /api/router, doc: Path of the API at the server.}
          to: {default: same, doc: "What clients get: same, standard or problem."}

        secrets:
          client_id: client_id
          client_secret: client_secret
          refresh_token: refresh token that the authorization brought

        session:
          login:
            - request: {method: POST, path: "{{path}}", form: {type: pdd.pop.auth.token.refresh, refresh_token: "${secret.refresh_token}"}}
              sign: ["{{upstream}}-stamp", "{{upstream}}"]
              success: has(json.pop_auth_token_refresh_response.access_token)
              # The answer names no failure that passes, but those of the platform itself.
              refused: has(json.error_response) && !(int(json.error_response.error_code) in [50000, 52101, 52102, 52103, 70031])
              capture: &token
                token: json.pop_auth_token_refresh_response.access_token
                refresh_token: json.pop_auth_token_refresh_response.refresh_token
                expires_in: json.pop_auth_token_refresh_response.expires_in
          refresh:
            - request: {method: POST, path: "{{path}}", form: {type: pdd.pop.auth.token.refresh, refresh_token: "${session.refresh_token}"}}
              sign: ["{{upstream}}-stamp", "{{upstream}}"]
              success: has(json.pop_auth_token_refresh_response.access_token)
              capture: *token
          expired: int(json.error_response.error_code) == 10019
          attach:
            form: {access_token: "${session.token}"}

        signatures:
          stamp:
            attach:
              form: {client_id: "${secret.client_id}", timestamp: "${int(now)}", data_type: JSON}
        signature:
          variables:
            text: secret.client_secret + pairs.join(pairs.sort(request.form), "", "") + secret.client_secret
          attach:
            form: {sign: "${hex.encodeUpper(hash.md5(vars.text))}"}

        envelope:
          ok: '!has(json.error_response)'
          code: json.?error_response.?error_code
          message: json.?error_response.?error_msg.orValue("")
          data: json
          render: {error_response: "${{'error_code': code.orValue(50000), 'error_msg': message}}"}

        routes:
          - path: "{{path}}"
            methods: [POST]
            session: "{{upstream}}"
            sign: ["{{upstream}}-stamp", "{{upstream}}"]
            envelope: {from: "{{upstream}}", to: "{{to}}"}

        """#
}
