// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let azureServicebus = #"""
        # Azure Service Bus and Event Hubs with a key of a shared access policy: of the namespace, or of one queue, topic or hub.
        #
        #   upstreams:
        #     bus: {url: https://NAMESPACE.servicebus.windows.net, profile: {name: azure-servicebus, with: {policy: RootManageSharedAccessKey}}}
        #   secrets: {key: {file: secrets/policy-key}}
        profile: azure-servicebus
        summary: Azure Service Bus, Event Hubs - a shared access signature (HMAC-SHA256) for each request, in Authorization.

        parameters:
          policy: {doc: Name of the shared access policy.}
          lifetime: {default: "300", doc: Seconds that a signature holds.}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          key: primary or secondary key of the policy

        signature:
          variables:
            # A policy of one entity signs for that entity, the first segment; one of the namespace signs for any.
            resource: url.encode("https://" + request.host + "/" + request.segments[0])
            end: string(int(now) + {{lifetime}})
            # The key is text here, although it looks like base 64.
            sign: url.encode(base64.encode(hmac.sha256(secret.key, vars.resource + "\n" + vars.end)))
          attach:
            header:
              Authorization: SharedAccessSignature sr=${vars.resource}&sig=${vars.sign}&se=${vars.end}&skn={{policy}}
          clock_refused: status == 401 && text.contains("ExpiredToken")

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
