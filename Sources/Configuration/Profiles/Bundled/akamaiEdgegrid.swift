// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let akamaiEdgegrid = #"""
        # Akamai's APIs, EdgeGrid. The values are those of an .edgerc file.
        #
        #   upstreams:
        #     akamai: {url: https://akaa-XXXX.luna.akamaiapis.net, profile: akamai-edgegrid}
        #   secrets: {client_token: {env: AKAMAI_CLIENT}, access_token: {env: AKAMAI_ACCESS}, client_secret: {file: secrets/akamai}}
        profile: akamai-edgegrid
        summary: Akamai EdgeGrid - HMAC-SHA256 over method, host, target and the body of a POST, in Authorization.

        parameters:
          max_body: {default: "131072", doc: Bytes of the body that are signed.}
          path: {default: "/**", doc: Paths that are forwarded.}

        secrets:
          client_token: client_token
          access_token: access_token
          client_secret: client_secret

        signature:
          variables:
            time: time.format(now, "%Y%m%dT%H:%M:%S+0000")
            head: >-
              "EG1-HMAC-SHA256 client_token=" + secret.client_token + ";access_token=" + secret.access_token
              + ";timestamp=" + vars.time + ";nonce=" + nonce + ";"
            key: base64.encode(hmac.sha256(secret.client_secret, vars.time))
            body: >-
              request.method == "POST" && size(request.body) > 0
              ? base64.encode(hash.sha256(request.body.slice(0, math.least({{max_body}}, size(request.body))))) : ""
            text: >-
              [request.method, "https", request.host.lowerAscii(), request.target, "", vars.body, vars.head].join("\t")
          attach:
            header: {Authorization: "${vars.head}signature=${base64.encode(hmac.sha256(vars.key, vars.text))}"}
          clock_refused: status in [400, 401] && json.detail.contains("nvalid timestamp")

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
