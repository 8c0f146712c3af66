// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let tpshop = #"""
        # TPshop: PHP shops of Shenzhen Soubao's kind, and the forks of them. Paths are /api/CONTROLLER/ACTION.
        #
        #   upstreams:
        #     shop: {url: https://shop.example.com, profile: tpshop}
        #   secrets: {username: {env: SHOP_USER}, password: {file: secrets/pw}, sign_key: {file: secrets/key}}
        profile: tpshop
        summary: TPshop back ends - MD5 over the form values, a token in the form, answers of {status, msg, result}.

        parameters:
          path: {default: /api, doc: "First part of the paths that clients use; /api/User/userInfo becomes c=User&a=userInfo."}
          entry: {default: "/index.php?m=Api", doc: Script and module that the upstream serves its API under.}
          expired: {default: "-100, -101, -102", doc: "Values of status that tell of a lost, wrong or old token; forks have others, 10001 among them."}
          lifetime: {default: "3600", doc: Seconds after which an idle token dies (newer servers say 86400).}
          pepper: {default: TPSHOP, doc: Text in front of the password when it is hashed (AUTH_CODE of the server).}
          to: {default: standard, doc: "What clients get: standard, problem or same."}

        secrets:
          username: mobile number or e-mail of the shop account
          password: its password
          sign_key: API_SECRET_KEY of the server's config.php

        upstream:
          clock: {learn_from: date}

        session:
          login:
            - request:
                method: POST
                path: "{{entry}}&c=User&a=login"
                form:
                  username: ${secret.username}
                  password: ${hex.encode(hash.md5('{{pepper}}' + secret.password))}
                  unique_id: ${device}
              sign: "{{upstream}}"
              success: int(json.status) > 0
              # Unknown account, wrong password, locked account: trying again locks the account.
              refused: int(json.status) in [-1, -2, -3]
              capture:
                token: json.result.token
                user_id: json.result.user_id
                expires_in: "'{{lifetime}}'"
          expired: int(json.status) in [{{expired}}]
          attach:
            form: {token: "${session.token}", user_id: "${session.user_id}", unique_id: "${device}"}

        # Values only, ascending by name, then time and key. PHP's own order: names that are numbers come in theirs.
        signature:
          variables:
            time: string(int(now))
            sign: >-
              hex.encode(hash.md5(php.sort(request.form).filter(f, !(f.name in ["time", "sign"])).map(f, f.value).join("")
              + vars.time + secret.sign_key))
          attach:
            form: {time: "${vars.time}", sign: "${vars.sign}"}
          # The same number as every failure, so the text tells it.
          clock_refused: json.?msg.orValue("") == "请求超时!!!"

        envelope:
          unwrap: [charset, bom, skip_to_json]
          ok: int(json.status) > 0
          code: json.status
          message: json.msg
          data: json.?result.or(json.?data)
          render: {status: "${code.orValue(-1)}", msg: "${message}", result: ""}

        routes:
          - path: "{{path}}/**"
            rewrite: "{{entry}}&c=${request.segments[size(request.segments) - 2]}&a=${request.segments[size(request.segments) - 1]}"
            session: "{{upstream}}"
            sign: "{{upstream}}"
            envelope: {from: "{{upstream}}", to: "{{to}}"}

        """#
}
