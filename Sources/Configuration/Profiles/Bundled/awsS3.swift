// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let awsS3 = #"""
        # Amazon S3 and the storages that speak its API (MinIO, Ceph, Swift).
        #
        #   upstreams:
        #     files: {url: https://s3.eu-west-1.amazonaws.com, profile: {name: aws-s3, with: {region: eu-west-1}}}
        #   secrets: {key_id: {env: AWS_ACCESS_KEY_ID}, key: {file: secrets/aws}}
        #
        # A body is kept until its digest is known; with: {payload: streaming} signs it chunk by chunk instead;
        # with streaming-trailer what the AWS libraries frame (aws-chunked, with a checksum behind it) streams too.
        profile: aws-s3
        summary: Amazon S3 and its kin - Signature Version 4 by S3's rules.
        extends: aws-sigv4

        parameters:
          service: {default: s3}
          payload: {default: signed, doc: "How the body is signed: signed, unsigned, streaming or streaming-trailer."}
          body: {default: 5GiB, doc: Largest request body.}

        signature:
          aws_sigv4:
            s3: true
            payload: "{{payload}}"
          # S3 tells the canonical string that it signed.
          echo: xml.text(xml.decode(text).Error.StringToSign)

        routes:
          - {path: "{{path}}", sign: "{{upstream}}", limits: {body: "{{body}}"}}

        """#
}
