// swift-format-ignore-file
// Written by .ci/profiles from config/profiles; edit those.

extension BundledProfile {
    static let respinfo = #"""
        # The RespInfo convention of ASP.NET services (.asmx): Success, ControlType, Rows, AddicationDictionary, Msg.
        #
        #   upstreams:
        #     house: {url: https://house.example.com, profile: respinfo}
        profile: respinfo
        summary: RespInfo services (.asmx) - JSON inside XML or {"d"}, rows and dictionary as JSON inside strings.

        parameters:
          path: {default: "/**", doc: Paths that are forwarded.}
          to: {default: standard, doc: "What clients get: standard, problem or same."}

        envelope:
          # Over GET and POST it comes as <string>JSON</string>, called as JSON it comes as {"d": "JSON"}.
          unwrap: [charset, bom, {xml_text: string}, {pointer: /d}, json_string]
          # A number, text or a bool.
          ok: string(json.Success) in ["true", "1"]
          code: json.?Success
          message: json.Msg
          # 0: the rows; 1: the dictionary; 2: both. Empty text stands for nothing.
          data: >-
            int(json.ControlType) == 0 ? (json.Rows == "" ? null : json.decode(json.Rows))
            : int(json.ControlType) == 1 ? (json.AddicationDictionary == "" ? null : json.decode(json.AddicationDictionary))
            : {"rows": json.Rows == "" ? null : json.decode(json.Rows),
               "dictionary": json.AddicationDictionary == "" ? null : json.decode(json.AddicationDictionary)}
          render: {Success: "${0}", ControlType: "${0}", Rows: "", AddicationDictionary: "", Msg: "${message}"}

        routes:
          - path: "{{path}}"
            envelope: {from: "{{upstream}}", to: "{{to}}"}

        """#
}
