// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let httpMessageSignature = #"""
        # HTTP Message Signatures (RFC 9421) with a digest of the body (RFC 9530). What is signed is a list, so it is changed in the
        # config: signatures: {NAME: {http_message_signature: {components: [...]}}}.
        #
        #   upstreams:
        #     api: {url: https://api.example.com, profile: {name: http-message-signature, with: {key_id: k1}}}
        #   secrets: {key: {file: secrets/key.pem}}
        profile: http-message-signature
        summary: HTTP Message Signatures (RFC 9421) - method, authority, path, query and body digest, in Signature.

        parameters:
          key_id: {doc: What the other side knows the key by.}
          algorithm: {default: ed25519, doc: "How it is signed: ed25519, hmac-sha256, ecdsa-p256-sha256, rsa-pss-sha512 and others."}
          label: {default: sig1, doc: Name of the signature in its fields.}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key: private key (PEM or JWK), or the bytes of the shared secret

        signatures:
          digest:
            digest: {content_digest: sha-256}
        signature:
          http_message_signature:
            label: "{{label}}"
            algorithm: "{{algorithm}}"
            key: ${secret.key}
            components: ["@method", "@authority", "@path", "@query", content-digest]
            parameters: {created: "${int(now)}", keyid: "{{key_id}}", alg: "{{algorithm}}"}

        routes:
          - {path: "{{path}}", sign: ["{{upstream}}-digest", "{{upstream}}"]}

        """#
}
