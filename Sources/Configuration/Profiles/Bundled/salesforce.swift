// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let salesforce = #"""
        # Salesforce's APIs as the run-as user of a connected app (client credentials flow). It works with the organization's own
        # My Domain address only, which serves the APIs too.
        #
        #   upstreams:
        #     salesforce: {url: https://MYDOMAIN.my.salesforce.com, profile: salesforce}
        #   secrets: {client_id: {env: SF_CLIENT}, client_secret: {file: secrets/salesforce}}
        profile: salesforce
        summary: Salesforce - client credentials at the organization's own address; a token lives as long as the org's session setting says.
        extends: oauth2

        parameters:
          token_path: null
          client_auth: null
          audience: null
          scope: null
          server: null
          path: {default: "/services/**", doc: Paths that are forwarded.}

        secrets:
          client_id: consumer key
          client_secret: consumer secret

        session:
          oauth2:
            upstream: null
            token_path: /services/oauth2/token
            client_auth: post
            audience: null
            scope: null
          # The answer names no lifetime: [{"errorCode": "INVALID_SESSION_ID"}] tells of the end.
          expired: status == 401

        """#
}
