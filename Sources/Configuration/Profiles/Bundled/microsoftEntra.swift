// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let microsoftEntra = #"""
        # Microsoft Graph, Azure management and other APIs behind Microsoft Entra ID, as an application with a client secret.
        #
        #   upstreams:
        #     entra: {url: https://login.microsoftonline.com}
        #     graph: {url: https://graph.microsoft.com, profile: {name: microsoft-entra, with: {server: entra, tenant: contoso.onmicrosoft.com}}}
        #   secrets: {client_id: {env: CLIENT_ID}, client_secret: {file: secrets/client}}
        #
        # Azure's management API: url https://management.azure.com, with: {scope: https://management.azure.com/.default}.
        profile: microsoft-entra
        summary: Microsoft Entra ID - an application's bearer token by client secret, for Graph, Azure and APIs of one's own.
        extends: oauth2

        parameters:
          token_path: null
          client_auth: null
          audience: null
          tenant: {doc: "Directory (tenant): its id or one of its domain names."}
          server: {doc: "Name of the upstream that is https://login.microsoftonline.com (or that of a national cloud)."}
          scope: {default: https://graph.microsoft.com/.default, doc: "The API's identifier and /.default."}

        secrets:
          client_id: application (client) id

        session:
          oauth2:
            token_path: /{{tenant}}/oauth2/v2.0/token
            client_auth: post
            audience: null

        """#
}
