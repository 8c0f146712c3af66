// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let jeecgboot = #"""
        # JeecgBoot. The login is the one of its apps, which asks for no captcha.
        #
        #   upstreams:
        #     jeecg: {url: https://jeecg.example.com/jeecg-boot, profile: jeecgboot}
        #   secrets: {username: {env: JEECG_USER}, password: {file: secrets/pw}}
        profile: jeecgboot
        summary: JeecgBoot back ends - JSON login, X-Access-Token, {success, code, message, result}, a dead token as status 500 or 401.

        parameters:
          login_path: {default: /sys/mLogin, doc: Where the login goes.}
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
              success: json.success == true
              refused: json.success == false && json.message.matches("密码|不存在|冻结|注销|锁定|password")
              capture: {token: json.result.token}
          # Code 500 alone says nothing: every failure has it.
          expired: status == 401 || (status in [200, 500] && json.message.contains("Token失效"))
          attach:
            header: {X-Access-Token: "${session.token}"}

        envelope:
          unwrap: [charset, bom]
          ok: json.success == true
          code: json.code
          message: json.message
          data: json.?result
          render: {success: "${ok}", code: "${code.orValue(500)}", message: "${message}", result: "${null}"}

        routes:
          - path: "{{path}}"
            session: "{{upstream}}"
            envelope: {from: "{{upstream}}", to: "{{to}}"}

        """#
}
