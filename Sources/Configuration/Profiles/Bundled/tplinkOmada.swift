// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let tplinkOmada = #"""
        # TP-Link Omada: the Open API of controllers (5.12 or newer) and of the cloud, with an application in client mode.
        #
        #   upstreams:
        #     omada: {url: https://192.0.2.1:8043, profile: {name: tplink-omada, with: {omadac: de382a0e78f4deb681f3128c3e75dbd1}}}
        #   secrets: {client_id: {env: OMADA_CLIENT}, client_secret: {file: secrets/omada}}
        profile: tplink-omada
        summary: TP-Link Omada Open API - client credentials, AccessToken= in Authorization, {errorCode, msg, result}.

        parameters:
          omadac: {doc: "Omada ID, as the application's page shows it."}
          path: {default: "/openapi/**", doc: Paths that are forwarded.}
          to: {default: same, doc: "What clients get: same, standard or problem."}

        secrets:
          client_id: client ID
          client_secret: client secret

        session:
          login:
            - request:
                method: POST
                path: /openapi/authorize/token?grant_type=client_credentials
                json: {omadacId: "{{omadac}}", client_id: "${secret.client_id}", client_secret: "${secret.client_secret}"}
              success: int(json.errorCode) == 0
              # Wrong id or secret, wrong mode, wrong parameters.
              refused: int(json.errorCode) in [-44106, -44111, -44116, -44118]
              capture: {token: json.result.accessToken, expires_in: json.result.expiresIn}
          # Old and invalid tokens; changes to the application or the controller void them early.
          expired: int(json.errorCode) in [-44112, -44113]
          attach:
            header: {Authorization: "AccessToken=${session.token}"}

        envelope:
          ok: int(json.errorCode) == 0
          code: json.errorCode
          message: json.msg
          data: json.?result
          render: {errorCode: "${code.orValue(-1)}", msg: "${message}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}", envelope: {from: "{{upstream}}", to: "{{to}}"}}

        """#
}
