// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let httpSignature = #"""
        # HTTP Signatures as drafted by Cavage (ActivityPub servers, banks). RFC 9421 is another thing: signatures have
        # http_message_signature for it.
        #
        #   upstreams:
        #     bank: {url: https://bank.example.com, profile: {name: http-signature, with: {key_id: my-key}}}
        #   secrets: {private_key: {file: secrets/key.pem}}
        profile: http-signature
        summary: HTTP Signatures (draft-cavage-12) - listed headers under RSA-SHA256, in Authorization.

        parameters:
          key_id: {doc: What the other side knows the key by.}
          signed: {default: (request-target) host date, doc: "What is signed, in order, separated by blanks."}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          private_key: private key (PEM)

        signatures:
          date:
            attach: {header: {Date: "${time.http(now)}"}}
        signature:
          variables:
            text: >-
              "{{signed}}".split(" ").map(n, n + ": " + (n == "(request-target)"
              ? request.method.lowerAscii() + " " + request.target : request.headers(n))).join("\n")
          attach:
            header:
              Authorization: >-
                Signature keyId="{{key_id}}",algorithm="rsa-sha256",headers="{{signed}}",signature="${
                base64.encode(rsa.sha256(secret.private_key, vars.text))}"

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-date", "{{upstream}}"]}

        """#
}
