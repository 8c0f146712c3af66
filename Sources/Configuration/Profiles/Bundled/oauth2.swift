// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let oauth2 = #"""
        # OAuth 2.0 client credentials (RFC 6749 4.4): a service that calls an API as itself.
        #
        #   upstreams:
        #     api: {url: https://api.example.com, profile: {name: oauth2, with: {token_path: /oauth/token, scope: read}}}
        #   secrets: {client_id: {env: CLIENT_ID}, client_secret: {file: secrets/client}}
        #
        # Where the authorization server is another host, it is an upstream of its own: with: {server: NAME}.
        profile: oauth2
        summary: OAuth 2.0 client credentials - a bearer token for the gateway's own client, renewed before it ends.

        parameters:
          token_path: {default: /oauth2/token, doc: Path of the token endpoint.}
          server: {default: "", doc: Name of the upstream that is the authorization server; this one without it.}
          client_auth: {default: basic, doc: "How the client proves who it is: basic, post, client_secret_jwt, tls or none."}
          scope: {default: "", doc: "Scopes, separated by blanks."}
          audience: {default: "", doc: "audience parameter, where the server wants one."}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          client_id: client identifier
          client_secret: client secret

        session:
          oauth2:
            grant: client_credentials
            upstream: "{{server}}"
            token_path: "{{token_path}}"
            client_auth: "{{client_auth}}"
            client_id: ${secret.client_id}
            client_secret: ${secret.client_secret}
            scope: "{{scope}}"
            audience: "{{audience}}"
          # RFC 6750 3.1: a 403 with insufficient_scope is no expiry, and neither is a 401 that says so.
          expired: status == 401 && !headers[?"www-authenticate"].orValue("").contains("insufficient_scope")

        routes:
          - path: "{{path}}"
            session: "{{upstream}}"

        """#
}
