// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let qbittorrent = #"""
        # qBittorrent's Web API, version 2 (https://github.com/qbittorrent/qBittorrent/wiki; tried with 4.5 in every test run).
        #
        #   upstreams:
        #     torrents: {url: http://127.0.0.1:8081, profile: qbittorrent}
        #   secrets: {username: {env: QB_USER}, password: {file: secrets/qb}}
        #
        # The login is a form; it says "Ok." or "Fails.", both with status 200, and brings a cookie. The session ends after
        # web_ui_session_timeout seconds without a call; from then on every call gets 403 "Forbidden".
        profile: qbittorrent
        summary: qBittorrent - form login, a cookie that idles away, 403 for a dead one.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          username: user of the Web UI
          password: its password

        session:
          login:
            - request:
                method: POST
                path: /api/v2/auth/login
                form: {username: "${secret.username}", password: "${secret.password}"}
              success: status == 200 && text == "Ok."
              # 403 here: this address is banned after five wrong passwords. Another try would prolong that.
              refused: text == "Fails." || status == 403
              capture: {sid: 'headers["set-cookie"].split(";")[0].split("SID=")[1]'}
          expired: status == 403
          attach:
            cookie: {SID: "${session.sid}"}

        routes:
          - path: "{{path}}"
            session: "{{upstream}}"
            # Its protection against cross-site requests compares Referer and Origin with Host (else: 401). What a browser tells
            # about the gateway's own pages would not match; the gateway has checked the origin already.
            attach:
              header: {Referer: "http://${request.host}/", Origin: "http://${request.host}"}

        """#
}
