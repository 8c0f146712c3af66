// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let huaweiHilink = #"""
        # Huawei's mobile routers with a HiLink page of the older kind (password_type 4). Each change costs a token, and its answer
        # brings the next: one request at a time.
        #
        #   upstreams:
        #     router: {url: http://192.168.8.1, profile: huawei-hilink}
        #   secrets: {username: {env: ROUTER_USER}, password: {file: secrets/router}}
        profile: huawei-hilink
        summary: Huawei HiLink - XML login with a doubly hashed password, request tokens that serve once.

        parameters:
          path: {default: "/api/**", doc: Paths that are forwarded.}

        secrets:
          username: user
          password: its password

        session:
          cookies: true
          in_flight: 1
          login:
            - request: {method: GET, path: /api/webserver/SesTokInfo}
              success: has(xml.response.TokInfo)
              capture: {before: xml.response.SesInfo, token: xml.response.TokInfo}
            - variables:
                inner: base64.encode(hex.encode(hash.sha256(secret.password)))
                proof: base64.encode(hex.encode(hash.sha256(secret.username + vars.inner + session.token)))
              request:
                method: POST
                path: /api/user/login
                headers: {Cookie: "${session.before}", __RequestVerificationToken: "${session.token}"}
                xml: '<?xml version="1.0" encoding="UTF-8"?><request><Username>${secret.username}</Username><Password>${vars.proof}</Password><password_type>4</password_type></request>'
              success: xml.response == "OK"
              # Wrong name, wrong password, too many tries.
              refused: int(xml.error.code) in [108001, 108002, 108006, 108007]
              capture:
                # One, two, or a list of them.
                token: >-
                  headers[?"__requestverificationtokenone"].or(headers[?"__requestverificationtoken"]).value().split("#")[0]
          update: {token: 'headers["__requestverificationtoken"].split("#")[0]'}
          # No session, wrong token. 100003, no right, is said for a session that idled away too.
          expired: int(xml.error.code) in [125002, 125003, 100003]
          attach:
            header: {__RequestVerificationToken: '${request.method == "GET" ? optional.none() : optional.of(session.token)}'}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
