// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let awsAssumeRole = #"""
        # AWS APIs with temporary credentials of a role: the login is AssumeRole at the token service, signed with the keys of a
        # user; it brings keys and a session token, and the requests are signed with those.
        #
        #   upstreams:
        #     files:
        #       url: https://s3.eu-west-1.amazonaws.com
        #       profile:
        #         name: aws-assume-role
        #         with: {role: "arn:aws:iam::123456789012:role/store", region: eu-west-1, service: s3, s3: "true", server: sts}
        #     sts: {url: https://sts.eu-west-1.amazonaws.com}
        #   secrets: {key_id: {env: AWS_ACCESS_KEY_ID}, key: {file: secrets/aws}}
        profile: aws-assume-role
        summary: AWS APIs as a role - as aws-sigv4, with keys that AssumeRole hands out and that end.
        extends: aws-sigv4

        parameters:
          session_token: null
          role: {doc: ARN of the role.}
          server: {default: "", doc: "Name of the upstream that is the token service (STS); this one without it."}
          session_name: {default: countersign, doc: "Name of the role's session, as it stands in audit logs."}
          duration: {default: "3600", doc: Seconds that the keys are good for.}
          expires: {default: "timestamp(xml.decode(text).AssumeRoleResponse.AssumeRoleResult.Credentials.Expiration)", doc: Expression of their end.}
          s3: {default: "false", doc: "true signs by S3's rules."}

        session:
          login:
            - upstream: "{{server}}"
              request:
                method: POST
                path: /
                form:
                  Action: AssumeRole
                  Version: "2011-06-15"
                  RoleArn: "{{role}}"
                  RoleSessionName: "{{session_name}}"
                  DurationSeconds: "{{duration}}"
              sign: "{{upstream}}-sts"
              refused: status == 403
              capture:
                access_key: xml.decode(text).AssumeRoleResponse.AssumeRoleResult.Credentials.AccessKeyId
                secret_key: xml.decode(text).AssumeRoleResponse.AssumeRoleResult.Credentials.SecretAccessKey
                token: xml.decode(text).AssumeRoleResponse.AssumeRoleResult.Credentials.SessionToken
                expires_at: "{{expires}}"
          # S3 says it in XML, most others in JSON: {"__type": "ExpiredTokenException"}.
          expired: >-
            status in [400, 403] && (text.contains("ExpiredToken") || text.contains("InvalidAccessKeyId")
            || text.contains("InvalidToken") || text.contains("UnrecognizedClientException"))

        signatures:
          sts:
            aws_sigv4:
              access_key: ${secret.key_id}
              secret_key: ${secret.key}
              region: "{{region}}"
              service: sts
        signature:
          aws_sigv4:
            access_key: ${session.access_key}
            secret_key: ${session.secret_key}
            session_token: ${session.token}
            s3: "{{s3}}"

        routes:
          - {path: "{{path}}", session: "{{upstream}}", sign: "{{upstream}}"}

        """#
}
