// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let fortigate = #"""
        # FortiGate (FortiOS) with the token of a REST API administrator.
        #
        #   upstreams:
        #     firewall: {url: https://192.0.2.1, profile: fortigate}
        #   secrets: {token: {file: secrets/fortigate}}
        profile: fortigate
        summary: FortiGate - the bearer token of a REST API administrator.

        parameters:
          vdom: {default: "", doc: "Virtual domain of the calls, where it is not the administrator's own."}
          path: {default: "/api/v2/**", doc: Paths that are forwarded.}

        secrets:
          token: API token

        upstream:
          attach:
            query: {vdom: "{{vdom}}"}

        signature:
          attach:
            header: {Authorization: "Bearer ${secret.token}"}

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
