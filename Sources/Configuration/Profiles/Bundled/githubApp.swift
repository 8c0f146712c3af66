// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let githubApp = #"""
        # GitHub's REST and GraphQL APIs as an installation of a GitHub App. On GitHub Enterprise Server the url ends in /api/v3.
        #
        #   upstreams:
        #     github: {url: https://api.github.com, profile: {name: github-app, with: {app: Iv23liABCDEF, installation: "12345678"}}}
        #   secrets: {private_key: {file: secrets/app.pem}}
        profile: github-app
        summary: GitHub Apps - a JWT of the app (RS256) is exchanged for the installation's token of an hour.

        parameters:
          app: {doc: "Client ID of the app, or its App ID."}
          installation: {doc: "Number of the installation, the last part of its settings page's address."}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          private_key: private key of the app (PEM)

        session:
          login:
            - variables:
                # A minute back, as GitHub advises, for clocks that differ; ten minutes are the most that is allowed.
                jwt: >-
                  jwt.sign("RS256", secret.private_key, {"iss": "{{app}}", "iat": int(now) - 60, "exp": int(now) + 540})
              request:
                method: POST
                path: /app/installations/{{installation}}/access_tokens
                headers:
                  Authorization: Bearer ${vars.jwt}
                  Accept: application/vnd.github+json
                  # GitHub refuses requests without one.
                  User-Agent: countersign
              success: status == 201
              # A 401 over the times of the JWT is a clock that is wrong: that may pass. A 403 may be a rate limit.
              refused: status == 404 || status == 401 && !json.message.contains("claim") || status == 403 && json.message.contains("suspended")
              capture: {token: json.token, expires_at: json.expires_at}
          logout:
            - request:
                method: DELETE
                path: /installation/token
                headers: {Authorization: "Bearer ${session.token}", User-Agent: countersign}
          # What a token may not do is 403 or 404.
          expired: status == 401
          attach:
            header: {Authorization: "Bearer ${session.token}"}

        routes:
          - {path: "{{path}}", session: "{{upstream}}"}

        """#
}
