// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let oauth1 = #"""
        # OAuth 1.0a (RFC 5849) with an access token that was gained once: X, Trello, MediaWiki, Magento and others.
        #
        #   upstreams:
        #     api: {url: https://api.example.com, profile: oauth1}
        #   secrets: {consumer_key: ..., consumer_secret: ..., token: ..., token_secret: ...}
        #
        # Without an access token ("two-legged"): signatures: {api: {oauth1: {token: null, token_secret: null}}}; the secrets of
        # this name may then hold anything.
        profile: oauth1
        summary: OAuth 1.0a - HMAC-SHA1 over method, address and parameters, in Authorization.

        parameters:
          method: {default: HMAC-SHA1, doc: "Signature method, like HMAC-SHA256 (Magento)."}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          consumer_key: consumer (client) key
          consumer_secret: its secret
          token: access token
          token_secret: its secret

        signature:
          oauth1:
            consumer_key: ${secret.consumer_key}
            consumer_secret: ${secret.consumer_secret}
            token: ${secret.token}
            token_secret: ${secret.token_secret}
            method: "{{method}}"

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
