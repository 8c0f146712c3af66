// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let upbit = #"""
        # Upbit. Parameters are signed as a query is written, before it is encoded; those of a JSON body too, so that no value of one
        # may be a list or an object.
        #
        #   upstreams:
        #     upbit: {url: https://api.upbit.com, profile: upbit}
        #   secrets: {key_id: {env: UPBIT_KEY}, key: {file: secrets/upbit}}
        profile: upbit
        summary: Upbit - a JWT (HS512) with a SHA-512 of the parameters for each request, as bearer.

        parameters:
          path: {default: "/v1/**", doc: Paths that are forwarded.}

        secrets:
          key_id: access key
          key: secret key

        signature:
          variables:
            query: >-
              size(request.body) > 0 ? pairs.join(pairs.of(request.json), "=", "&") : url.decode(request.target.after("?"))
            own: '{"access_key": secret.key_id, "nonce": random.uuid()}'
            claims: >-
              vars.query == "" ? vars.own
              : json.merge(vars.own, {"query_hash": hex.encode(hash.sha512(vars.query)), "query_hash_alg": "SHA512"})
          attach:
            header: {Authorization: 'Bearer ${jwt.sign("HS512", secret.key, vars.claims)}'}

        routes:
          - {path: "{{path}}", sign: "{{upstream}}"}

        """#
}
