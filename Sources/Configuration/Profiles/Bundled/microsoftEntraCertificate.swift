// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let microsoftEntraCertificate = #"""
        # Microsoft Entra ID as microsoft-entra, for an application that proves itself by a certificate instead of a secret.
        #
        #   upstreams:
        #     entra: {url: https://login.microsoftonline.com}
        #     graph: {url: https://graph.microsoft.com, profile: {name: microsoft-entra-certificate, with: {server: entra, tenant: contoso.onmicrosoft.com}}}
        #   secrets: {client_id: {env: CLIENT_ID}, certificate: {file: secrets/app-cert.crt}, private_key: {file: secrets/app-key.pem}}
        #
        # A file that holds both is both: certificate and private_key may name the same one.
        profile: microsoft-entra-certificate
        summary: Microsoft Entra ID - as microsoft-entra, with an assertion that a certificate's key signs (PS256, x5t#S256).
        extends: microsoft-entra

        parameters:
          authority: {default: https://login.microsoftonline.com, doc: "First part of the assertion's audience, as the server upstream's url; national clouds have others."}

        secrets:
          client_secret: null
          certificate: certificate that the application was given (PEM)
          private_key: its private key (PEM)

        session:
          oauth2: null
          login:
            - upstream: "{{server}}"
              variables:
                der: >-
                  base64.decode(secret.certificate.after("-----BEGIN CERTIFICATE-----").before("-----END CERTIFICATE-----").trim())
                head: '{"typ": "JWT", "x5t#S256": base64url.encode(hash.sha256(vars.der))}'
                claims: >-
                  {"aud": "{{authority}}/{{tenant}}/oauth2/v2.0/token", "iss": secret.client_id, "sub": secret.client_id,
                  "jti": random.uuid(), "iat": int(now), "nbf": int(now), "exp": int(now) + 300}
              request:
                method: POST
                path: /{{tenant}}/oauth2/v2.0/token
                form:
                  grant_type: client_credentials
                  client_id: ${secret.client_id}
                  scope: "{{scope}}"
                  client_assertion_type: urn:ietf:params:oauth:client-assertion-type:jwt-bearer
                  client_assertion: ${jwt.sign("PS256", secret.private_key, vars.claims, vars.head)}
              success: has(json.access_token)
              refused: json.error in ["invalid_client", "unauthorized_client", "invalid_scope", "invalid_request", "invalid_resource"]
              capture: {token: json.access_token, expires_in: json.expires_in}
          attach:
            header: {Authorization: "Bearer ${session.token}"}

        """#
}
