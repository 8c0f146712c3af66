// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let citydo = #"""
        # CityDo's mobile back ends (CityDoCommon): a form login, a token in the header, answers of {code, msg, data}.
        #
        #   upstreams:
        #     city: {url: https://city.example.com, profile: citydo}
        #   secrets: {username: {env: CITY_USER}, password: {file: secrets/pw}}
        profile: citydo
        summary: CityDo back ends - form login, token header, {code, msg, data} with 200 for success and 101 for a dead login.

        parameters:
          login_path: {default: /login, doc: Where the login form goes.}
          password: {default: secret.password, doc: "Expression of what the password field holds, like hex.encode(hash.md5(secret.password))."}
          token: {default: json.data.token, doc: Expression over the login's answer that gives the token.}
          ok: {default: "200", doc: Codes of success; several with commas.}
          expired: {default: "101", doc: Codes of a login that is no longer valid.}
          version: {default: countersign, doc: Text of the systemVersion header.}
          path: {default: "/**", doc: Paths that are forwarded.}
          to: {default: standard, doc: "What clients get: standard, problem or same."}

        secrets:
          username: account
          password: its password

        session:
          login:
            - request:
                method: POST
                path: "{{login_path}}"
                form: {username: "${secret.username}", password: "${{{password}}}"}
              success: int(json.code) in [{{ok}}]
              # The server tells a wrong password by its code; a status of 5xx is worth another try.
              refused: status < 500 && !(int(json.code) in [{{ok}}])
              capture: {token: "{{token}}"}
          # The envelope comes with 4xx statuses too.
          expired: status == 401 || int(json.code) in [{{expired}}]
          attach:
            header: {token: "${session.token}", systemVersion: "{{version}}"}

        envelope:
          unwrap: [charset, bom]
          ok: int(json.code) in [{{ok}}]
          code: json.code
          message: json.msg
          data: json.?data
          # The codes that the apps know: those of NSURLError.
          render: {code: "${code.orValue(kind == 'offline' ? -1009 : -1)}", msg: "${message}", data: "${null}"}

        routes:
          - path: "{{path}}"
            session: "{{upstream}}"
            envelope: {from: "{{upstream}}", to: "{{to}}"}

        """#
}
