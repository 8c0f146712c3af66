// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let jdJos = #"""
        # JD's open platform for shops (JOS), as one shop that has authorized the application: forms to /routerjson, with method and
        # 360buy_param_json. Tokens come from another host.
        #
        #   upstreams:
        #     jd-login: {url: https://open-oauth.jd.com}
        #     jd: {url: https://api.jd.com, profile: {name: jd-jos, with: {server: jd-login}}}
        #   secrets: {app_key: {env: JD_KEY}, app_secret: {file: secrets/jd}, refresh_token: {file: secrets/jd-refresh}}
        #
        # With a store (sessions: {jd: {store: ...}}) a restart goes on with the newest refresh token.
        profile: jd-jos
        summary: JD open platform - MD5 between the secrets over the sorted form, access_token in it.

        parameters:
          server: {doc: "Name of the upstream that is https://open-oauth.jd.com."}
          path: {default: /routerjson, doc: Path of the API at the server.}
          to: {default: same, doc: "What clients get: same, standard or problem."}

        secrets:
          app_key: App Key
          app_secret: App Secret
          refresh_token: refresh token that the authorization brought

        session:
          login:
            - upstream: "{{server}}"
              request:
                method: GET
                path: /oauth2/refresh_token
                query:
                  app_key: ${secret.app_key}
                  app_secret: ${secret.app_secret}
                  grant_type: refresh_token
                  refresh_token: ${secret.refresh_token}
              success: has(json.access_token)
              refused: status in [200, 400, 401] && has(json.code)
              capture: &token {token: json.access_token, refresh_token: json.refresh_token, expires_in: json.expires_in}
          refresh:
            - upstream: "{{server}}"
              request:
                method: GET
                path: /oauth2/refresh_token
                query:
                  app_key: ${secret.app_key}
                  app_secret: ${secret.app_secret}
                  grant_type: refresh_token
                  refresh_token: ${session.refresh_token}
              success: has(json.access_token)
              capture: *token
          # 19: the access token is not valid (any longer).
          expired: json.error_response.code == "19"
          attach:
            form: {access_token: "${session.token}"}

        signatures:
          stamp:
            attach:
              form:
                app_key: ${secret.app_key}
                timestamp: ${time.format(now, "%Y-%m-%d %H:%M:%S", "+08:00")}
                format: json
                v: "2.0"
        signature:
          variables:
            text: secret.app_secret + pairs.join(pairs.sort(request.form), "", "") + secret.app_secret
          attach:
            form: {sign: "${hex.encodeUpper(hash.md5(vars.text))}"}

        envelope:
          ok: '!has(json.error_response)'
          code: json.?error_response.?code
          message: json.?error_response.?zh_desc.orValue("")
          data: json
          render: {error_response: "${{'code': string(code.orValue('65')), 'zh_desc': message, 'en_desc': message}}"}

        routes:
          - path: "{{path}}"
            methods: [POST]
            session: "{{upstream}}"
            sign: ["{{upstream}}-stamp", "{{upstream}}"]
            envelope: {from: "{{upstream}}", to: "{{to}}"}

        """#
}
