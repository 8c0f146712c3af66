// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let oauth2TokenExchange = #"""
        # OAuth 2.0 token exchange (RFC 8693): a token that somebody else handed out becomes one that this API takes.
        #
        #   upstreams:
        #     api: {url: https://api.example.com, profile: {name: oauth2-token-exchange, with: {audience: https://api.example.com}}}
        #   secrets: {client_id: ..., client_secret: ..., subject_token: {file: /run/tokens/subject}}
        profile: oauth2-token-exchange
        summary: OAuth 2.0 token exchange - as oauth2, from a token that another system issued.
        extends: oauth2

        parameters:
          subject_token_type: {default: "urn:ietf:params:oauth:token-type:access_token", doc: Type of the token that is handed in.}
          requested_token_type: {default: "urn:ietf:params:oauth:token-type:access_token", doc: Type of the token that is wanted.}

        secrets:
          subject_token: the token that is exchanged

        session:
          oauth2:
            grant: token_exchange
            subject_token: ${secret.subject_token}
            subject_token_type: "{{subject_token_type}}"
            requested_token_type: "{{requested_token_type}}"

        """#
}
