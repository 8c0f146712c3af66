// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let tuya = #"""
        # Tuya's cloud (IoT Core and its kin). Header fields that Signature-Headers names are signed too.
        #
        #   upstreams:
        #     tuya: {url: https://openapi.tuyaeu.com, profile: tuya}
        #   secrets: {client_id: {env: TUYA_ID}, secret: {file: secrets/tuya}}
        profile: tuya
        summary: Tuya cloud - a token of two hours, HMAC-SHA256 over it, time, nonce and request, in sign.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}
          to: {default: same, doc: "What clients get: same, standard or problem."}

        secrets:
          client_id: Access ID
          secret: Access Secret

        session:
          login:
            - request: {method: GET, path: "/v1.0/token?grant_type=1"}
              sign: "{{upstream}}"
              success: json.success == true
              # Wrong secret, wrong signature, wrong id.
              refused: int(json.code) in [1001, 1004, 1005]
              capture: &token
                token: json.result.access_token
                refresh_token: json.result.refresh_token
                expires_in: json.result.expire_time
          refresh:
            - request: {method: GET, path: "/v1.0/token/${session.refresh_token}"}
              sign: "{{upstream}}"
              success: json.success == true
              refused: json.success == false
              capture: *token
          # Expired, invalid, of a wrong state.
          expired: int(json.code) in [1010, 1011, 1012]
          attach:
            header: {access_token: "${session.token}"}

        signature:
          variables:
            time: string(time.unixMilli(now))
            # What asks for a token is signed without one.
            token: 'request.path.contains("/v1.0/token") ? "" : session.token'
            query: pairs.join(pairs.sort(pairs.split(request.target.after("?"))), "=", "&")
            names: request.headers[?"signature-headers"].orValue("")
            lines: >-
              vars.names == "" ? "" : vars.names.split(":").map(n, n + ":" + request.headers[n] + "\n").join()
            request: >-
              [request.method, hex.encode(hash.sha256(request.body)), vars.lines,
              request.path + (vars.query == "" ? "" : "?" + vars.query)].join("\n")
            text: secret.client_id + vars.token + vars.time + nonce + vars.request
          attach:
            header:
              client_id: ${secret.client_id}
              t: ${vars.time}
              nonce: ${nonce}
              sign_method: HMAC-SHA256
              sign: ${hex.encodeUpper(hmac.sha256(secret.secret, vars.text))}
          # The upstream's time is in Date.
          clock_refused: int(json.code) == 1013

        envelope:
          ok: json.success == true
          code: json.?code
          message: json.?msg.orValue("")
          data: json.?result
          render: {success: "${ok}", code: "${code.orValue(500)}", msg: "${message}"}

        routes:
          - {path: "{{path}}", underscores: true, session: "{{upstream}}", sign: "{{upstream}}", envelope: {from: "{{upstream}}", to: "{{to}}"}}

        """#
}
