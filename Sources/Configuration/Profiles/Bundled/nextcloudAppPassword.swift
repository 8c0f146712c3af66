// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let nextcloudAppPassword = #"""
        # Nextcloud (WebDAV, OCS and its apps) with an app password, which the security page of the user hands out.
        #
        #   upstreams:
        #     cloud: {url: https://cloud.example.com, profile: nextcloud-app-password}
        #   secrets: {username: {env: NC_USER}, password: {file: secrets/nextcloud}}
        profile: nextcloud-app-password
        summary: Nextcloud - Basic authentication with an app password, and the field that its API wants.

        parameters:
          body: {default: 512MiB, doc: Largest upload.}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          username: user
          password: app password

        signature:
          attach:
            header:
              Authorization: Basic ${base64.encode(secret.username + ":" + secret.password)}
              OCS-APIRequest: "true"

        routes:
          - {path: "{{path}}", sign: "{{upstream}}", limits: {body: "{{body}}"}}

        """#
}
