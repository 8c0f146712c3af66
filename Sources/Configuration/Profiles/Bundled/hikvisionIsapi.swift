// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let hikvisionIsapi = #"""
        # Hikvision's cameras and recorders, ISAPI with Digest authentication (how their security settings have it by default).
        #
        #   upstreams:
        #     camera: {url: http://192.0.2.7, profile: hikvision-isapi}
        #   secrets: {username: {env: CAMERA_USER}, password: {file: secrets/camera}}
        profile: hikvision-isapi
        summary: Hikvision ISAPI - as http-digest; a wrong password is not tried again, since it locks the account.
        extends: http-digest

        parameters:
          path: {default: "/ISAPI/**"}

        """#
}
