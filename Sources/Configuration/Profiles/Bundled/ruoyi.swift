// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let ruoyi = #"""
        # RuoYi (Spring Boot, front and back separated). The server's captcha must be off (sys.account.captchaEnabled: false) for
        # this account's network, or the login be replaced: sessions: {NAME: {login: [...]}}.
        #
        #   upstreams:
        #     admin: {url: https://admin.example.com/prod-api, profile: ruoyi}
        #   secrets: {username: {env: ADMIN_USER}, password: {file: secrets/pw}}
        profile: ruoyi
        summary: RuoYi back ends - JSON login, bearer token, {code, msg, data} with 401 inside an answer of status 200.

        parameters:
          login_path: {default: /login, doc: Where the login goes (RuoYi-Cloud has /auth/login).}
          token: {default: json.token, doc: "Expression over the login's answer that gives the token (RuoYi-Cloud: json.data.access_token)."}
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
                json: {username: "${secret.username}", password: "${secret.password}"}
              success: int(json.code) == 200
              # 500 is the code of every failure; the text tells a wrong password and a locked account.
              refused: int(json.code) == 500 && json.msg.matches("密码|不存在|锁定|停用|禁用|password|locked|captcha|验证码")
              capture: {token: "{{token}}"}
          # 认证失败，无法访问系统资源
          expired: status == 401 || int(json.code) == 401
          attach:
            header: {Authorization: "Bearer ${session.token}"}

        envelope:
          unwrap: [charset, bom]
          ok: int(json.code) == 200
          code: json.code
          message: json.msg
          # Lists come as {total, rows} beside the code.
          data: 'has(json.data) ? json.data : json.omit(json, ["code", "msg"])'
          render: {code: "${code.orValue(500)}", msg: "${message}", data: "${null}"}

        routes:
          - path: "{{path}}"
            session: "{{upstream}}"
            envelope: {from: "{{upstream}}", to: "{{to}}"}

        """#
}
