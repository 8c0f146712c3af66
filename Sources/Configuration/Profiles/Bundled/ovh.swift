// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let ovh = #"""
        # OVHcloud's API with an application and a consumer key that its owner has approved.
        #
        #   upstreams:
        #     ovh: {url: https://eu.api.ovh.com/1.0, profile: ovh}
        #   secrets: {application_key: {env: OVH_AK}, application_secret: {file: secrets/ovh}, consumer_key: {file: secrets/ovh-consumer}}
        profile: ovh
        summary: OVHcloud - SHA-1 over secret, consumer key, method, URL, body and time, in X-Ovh-Signature.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          application_key: application key
          application_secret: application secret
          consumer_key: consumer key

        signature:
          variables:
            time: string(int(now))
            head: >-
              [secret.application_secret, secret.consumer_key, request.method, "https://" + request.host + request.target, ""].join("+")
            text: bytes(vars.head) + request.body + bytes("+" + vars.time)
          attach:
            header:
              X-Ovh-Application: ${secret.application_key}
              X-Ovh-Consumer: ${secret.consumer_key}
              X-Ovh-Timestamp: ${vars.time}
              X-Ovh-Signature: ${"$1$" + hex.encode(hash.sha1(vars.text))}
          # The upstream's time is in Date.
          clock_refused: json.errorCode == "QUERY_TIME_OUT"

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
