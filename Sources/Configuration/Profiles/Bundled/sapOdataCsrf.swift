// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let sapOdataCsrf = #"""
        # OData services of SAP Gateway (S/4HANA, NetWeaver) with a user: a CSRF token goes with what changes something, and belongs
        # to the cookies of a session.
        #
        #   upstreams:
        #     sap: {url: https://sap.example.com, profile: {name: sap-odata-csrf, with: {service_path: /sap/opu/odata/sap/API_BUSINESS_PARTNER/}}}
        #   secrets: {username: {env: SAP_USER}, password: {file: secrets/sap}}
        profile: sap-odata-csrf
        summary: SAP OData - Basic authentication, an X-CSRF-Token that is fetched and bound to a cookie session.

        parameters:
          service_path: {doc: "Path of a service that the token is fetched from; the token serves for all."}
          client: {default: "", doc: "SAP client (sap-client), where it is not the server's default."}
          path: {default: "/sap/**", doc: Paths that are forwarded.}

        secrets:
          username: user
          password: its password

        upstream:
          attach:
            query: {sap-client: "{{client}}"}

        session:
          cookies: true
          login:
            - request:
                method: GET
                path: "{{service_path}}"
                headers:
                  Authorization: Basic ${base64.encode(secret.username + ":" + secret.password)}
                  X-CSRF-Token: Fetch
              success: status == 200 && headers[?"x-csrf-token"].hasValue()
              refused: status == 401
              capture: {csrf: 'headers["x-csrf-token"]'}
          logout:
            - request: {method: GET, path: /sap/public/bc/icf/logoff}
          # A session that idled away is told at the next change: 403 with X-CSRF-Token: Required.
          expired: status == 401 || status == 403 && headers["x-csrf-token"].lowerAscii() == "required"
          attach:
            header:
              Authorization: Basic ${base64.encode(secret.username + ":" + secret.password)}
              X-CSRF-Token: ${session.csrf}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
