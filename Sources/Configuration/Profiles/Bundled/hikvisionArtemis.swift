// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let hikvisionArtemis = #"""
        # Hikvision's platforms (iSecure Center, HikCentral) behind the gateway Artemis.
        #
        #   upstreams:
        #     isecure: {url: https://isecure.example.com/artemis, profile: hikvision-artemis}
        #   secrets: {key_id: {env: ARTEMIS_KEY}, key: {file: secrets/artemis}}
        profile: hikvision-artemis
        summary: Hikvision Artemis - as aliyun-api-gateway, but that fields which are missing have no line.
        extends: aliyun-api-gateway

        secrets:
          key_id: AppKey
          key: AppSecret

        signatures:
          stamp:
            attach:
              header:
                X-Ca-Signature-Method: null
                Content-MD5: null
        signature:
          variables:
            fixed: >-
              optional.unwrap(["accept", "content-md5", "content-type", "date"].map(n, request.headers[?n])).map(v, v + "\n").join()

        """#
}
