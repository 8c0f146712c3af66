// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let kingsoft = #"""
        # Kingsoft Cloud's OpenAPI: AWS signatures as they are.
        #
        #   upstreams:
        #     kec: {url: https://kec.api.ksyun.com, profile: {name: kingsoft, with: {service: kec, region: cn-beijing-6}}}
        #   secrets: {key_id: {env: KSYUN_KEY_ID}, key: {file: secrets/ksyun}}
        profile: kingsoft
        summary: Kingsoft Cloud - as aws-sigv4.
        extends: aws-sigv4

        parameters:
          region: {doc: "Region, like cn-beijing-6."}
          service: {doc: "Service, the first label of the host."}
          session_token: null

        signature:
          aws_sigv4: {session_token: null}

        """#
}
