// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let baiduAi = #"""
        # Baidu AI (OCR, speech, faces, ...): a token of thirty days in the query.
        #
        #   upstreams:
        #     baidu: {url: https://aip.baidubce.com, profile: baidu-ai}
        #   secrets: {api_key: {env: BAIDU_API_KEY}, secret_key: {file: secrets/baidu}}
        profile: baidu-ai
        summary: Baidu AI - access_token in the query; error_code tells of a dead one.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}
          to: {default: same, doc: "What clients get: same, standard or problem."}

        secrets:
          api_key: API Key
          secret_key: Secret Key

        session:
          login:
            - request:
                method: POST
                path: /oauth/2.0/token
                form: {grant_type: client_credentials, client_id: "${secret.api_key}", client_secret: "${secret.secret_key}"}
              success: has(json.access_token)
              refused: json.error == "invalid_client"
              capture: {token: json.access_token, expires_in: json.expires_in}
          # Invalid and expired; both with status 200 or 401.
          expired: int(json.error_code) in [110, 111]
          attach:
            query: {access_token: "${session.token}"}

        envelope:
          ok: status == 200 && !has(json.error_code)
          code: json.?error_code
          message: json.?error_msg.orValue("")
          data: 'json.omit(json, ["error_code", "error_msg"])'
          render: {error_code: "${code.orValue(-1)}", error_msg: "${message}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}", envelope: {from: "{{upstream}}", to: "{{to}}"}}

        """#
}
