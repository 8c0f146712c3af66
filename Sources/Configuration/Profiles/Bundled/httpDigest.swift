// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let httpDigest = #"""
        # HTTP Digest (RFC 7616): cameras, printers, switches and other devices.
        #
        #   upstreams:
        #     camera: {url: http://192.0.2.7, profile: http-digest}
        #   secrets: {username: {env: CAMERA_USER}, password: {file: secrets/camera}}
        profile: http-digest
        summary: HTTP Digest - challenges are answered, nonces reused, stale ones replaced.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          username: user name
          password: its password

        session:
          digest_auth: {username: "${secret.username}", password: "${secret.password}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
