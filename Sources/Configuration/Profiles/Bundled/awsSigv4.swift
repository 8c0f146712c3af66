// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let awsSigv4 = #"""
        # AWS APIs, signature version 4.
        #
        #   upstreams:
        #     api: {url: https://ID.execute-api.eu-west-1.amazonaws.com, profile: {name: aws-sigv4, with: {region: eu-west-1, service: execute-api}}}
        #   secrets: {key_id: {env: AWS_ACCESS_KEY_ID}, key: {file: secrets/aws}}
        #
        # Temporary credentials: with: {session_token: "${secret.aws_token}"}.
        profile: aws-sigv4
        summary: AWS APIs - Signature Version 4 in Authorization.

        parameters:
          region: {doc: "Region, like eu-west-1."}
          service: {doc: "Service, like execute-api."}
          session_token: {default: "", doc: "Template of the token of temporary credentials."}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key_id: access key id
          key: secret access key

        signature:
          aws_sigv4:
            access_key: ${secret.key_id}
            secret_key: ${secret.key}
            session_token: "{{session_token}}"
            region: "{{region}}"
            service: "{{service}}"
          # <Code>RequestTimeTooSkewed</Code>, {"__type": "...#InvalidSignatureException"} and their kin.
          clock_refused: >-
            status in [400, 403] && (text.contains("RequestTimeTooSkewed") || text.contains("RequestExpired")
            || text.contains("Signature expired") || text.contains("Signature not yet current"))

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
