// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let proxmox = #"""
        # Proxmox VE: a ticket of two hours as a cookie, and a CSRF token for what changes something. An API token
        # of Proxmox needs no login: routes with attach: {header: {Authorization: "PVEAPIToken=..."}}.
        #
        #   upstreams:
        #     proxmox: {url: https://pve.example.com:8006, profile: proxmox}
        #   secrets: {username: {env: PVE_USER}, password: {file: secrets/pve}}
        profile: proxmox
        summary: Proxmox VE - a ticket as cookie, renewed by itself, with a CSRFPreventionToken.

        parameters:
          path: {default: "/api2/**", doc: Paths that are forwarded.}

        secrets:
          username: "user with realm, like root@pam"
          password: its password

        session:
          login:
            - request:
                method: POST
                path: /api2/json/access/ticket
                form: {username: "${secret.username}", password: "${secret.password}"}
              # A user with a second factor gets a ticket that is good for the second step only.
              success: has(json.data.ticket) && !has(json.data.NeedTFA)
              refused: status == 401 || has(json.data.NeedTFA)
              capture: {ticket: json.data.ticket, csrf: json.data.CSRFPreventionToken, expires_in: "'7200'"}
          refresh:
            # A ticket that still holds is its own password.
            - request:
                method: POST
                path: /api2/json/access/ticket
                form: {username: "${secret.username}", password: "${session.ticket}"}
              success: has(json.data.ticket)
              refused: status == 401
              capture: {ticket: json.data.ticket, csrf: json.data.CSRFPreventionToken, expires_in: "'7200'"}
          # What a user may not do is 403.
          expired: status == 401
          attach:
            cookie: {PVEAuthCookie: "${session.ticket}"}
            header: {CSRFPreventionToken: "${session.csrf}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
