import Bytes
import Expressions
import JSONBytes
import XMLBytes

/// What of the answer to a login may be told, in a log or on a terminal: names and types of its members, and the words of its
/// message. A login's answer is where tokens come from, also one that is no success by the recipe, and what no capture took
/// nobody can know and mask.
package enum AnswerOutline {
    private static let mostLevels = 6
    private static let mostMembers = 24
    private static let longestCode = 8
    /// What OAuth 2.0 and OpenID Connect register for `error` (RFC 6749, 6750, 8628, 8707, 9449; OIDC Core 3.1.2.6), which
    /// is no secret and tells most.
    private static let registered: Set<String> = [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
        "invalid_scope", "access_denied", "unsupported_response_type", "server_error", "temporarily_unavailable",
        "invalid_token", "insufficient_scope", "authorization_pending", "slow_down", "expired_token", "invalid_target",
        "invalid_dpop_proof", "use_dpop_nonce", "interaction_required", "login_required", "consent_required",
        "account_selection_required", "invalid_request_uri", "invalid_request_object", "request_not_supported",
    ]
    /// Names of members that hold codes, which may be long numbers.
    private static let codes: Set<String> = [
        "code", "errcode", "errorcode", "errno", "ret", "retcode", "resultcode", "subcode",
    ]
    /// Names of members whose texts are for people, and codes: in lower case, without `_` and `-`.
    private static let telling: Set<String> = [
        "message", "msg", "errmsg", "errormessage", "error", "errordescription", "errordesc", "detail", "details",
        "title",
        "reason", "description", "hint", "code", "errcode", "errorcode", "errno", "status", "statuscode", "resultcode",
        "ret", "retcode", "submsg", "subcode", "success", "faultstring", "faultcode", "text",
    ]

    /// Status and, where there is one, the registered word of OAuth 2.0, else the outline.
    package static func verdict(_ status: Int, _ body: [UInt8]) -> String {
        let root = JSONText.findDocument(body)?.root
        if let word = root?.member("error")?.text.map({ String(decoding: $0, as: UTF8.self) }),
            registered.contains(word)
        {
            return "status \(status), error \(word)"
        }
        return body.isEmpty
            ? "status \(status)" : "status \(status), \(String(decoding: text(of: body), as: UTF8.self))"
    }

    package static func text(of body: [UInt8]) -> [UInt8] {
        guard !body.isEmpty else { return Array("empty".utf8) }
        var output: [UInt8] = []
        if let document = JSONText.findDocument(body) {
            append(.json(document.root), level: 0, to: &output)
        } else if let document = try? XMLDocument(parsing: body, anyCharset: true) {
            append(.xml(document), level: 0, to: &output)
        } else {
            output.append(decimal: Int64(body.count))
            output += Array(" bytes that are neither JSON nor XML".utf8)
        }
        return output
    }

    /// Words as a person writes them. What a machine could have made stays out: with a digit in it from six bytes on,
    /// without one from twenty-four.
    package static func words(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            let word = text[index...].prefix(while: isOpaque)
            let hasDigit = word.contains(where: ASCII.isDigit)
            if word.count >= (hasDigit ? 6 : 24) { output += [0x2A, 0x2A, 0x2A] } else { output += word }
            index = word.endIndex
            let between = text[index...].prefix { !isOpaque($0) }
            output += between
            index = between.endIndex
        }
        return output
    }

    package static func words(_ text: String) -> String {
        String(decoding: words(Array(text.utf8)[...]), as: UTF8.self)
    }

    /// Letters, digits, and what stands in base64, UUIDs and tokens with parts.
    private static func isOpaque(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x25, 0x2B, 0x2D, 0x2E, 0x2F, 0x3D, 0x5F, 0x7E: true
        default: ASCII.isAlpha(byte) || ASCII.isDigit(byte)
        }
    }

    private static func append(_ value: Value, level: Int, to output: inout [UInt8]) {
        if let members = members(of: value) {
            guard level < mostLevels else { return output.append(contentsOf: "{...}".utf8) }
            output.append(0x7B)
            for (index, member) in members.prefix(mostMembers).enumerated() {
                if index > 0 { output.append(contentsOf: ", ".utf8) }
                output += words(member.name[...]) + Array(": ".utf8)
                if isTelling(member.name), let text = told(member.value, isCode: codes.contains(plain(member.name))) {
                    output += text
                } else {
                    append(member.value, level: level + 1, to: &output)
                }
            }
            output.append(contentsOf: (members.count > mostMembers ? ", ...}" : "}").utf8)
        } else if case .list(let elements) = value {
            output.append(contentsOf: "list of \(elements.count)".utf8)
        } else if case .json(let json) = value, json.kind == .array {
            output.append(contentsOf: "list of \(json.count)".utf8)
        } else {
            output.append(
                contentsOf: value.isAbsent ? "null".utf8 : value.bool.map { "\($0)".utf8 } ?? kind(value).utf8)
        }
    }

    private static func members(of value: Value) -> [(name: [UInt8], value: Value)]? {
        switch value {
        case .json(let json) where json.kind == .object:
            return json.members.map { (Array($0.key.text ?? []), .json($0.value)) }
        case .map(let map): return map.entries.map { ($0.key.contents.map { Array($0) } ?? [], $0.value) }
        default: return nil
        }
    }

    /// The type alone: of a short code the length would be half of it.
    private static func kind(_ value: Value) -> String {
        if value.contents != nil { return "text" }
        if case .json = value { return "number" }
        return value.typeName.name
    }

    private static func isTelling(_ name: [UInt8]) -> Bool {
        telling.contains(plain(name))
    }

    private static func plain(_ name: [UInt8]) -> String {
        String(decoding: name.filter { $0 != 0x5F && $0 != 0x2D }.map(ASCII.lower), as: UTF8.self)
    }

    /// A text in words, or a number that is no longer than codes are; `nil`: something else. What has the name of a code and
    /// is digits alone, no more than twelve, is one.
    private static func told(_ value: Value, isCode: Bool) -> [UInt8]? {
        if let text = value.contents {
            let isNumber = isCode && text.count <= 12 && text.allSatisfy(ASCII.isDigit)
            return [0x22] + (isNumber ? Array(text) : words(text)) + [0x22]
        }
        guard case .json(let json) = value, json.kind == .number else { return nil }
        return json.raw.count <= (isCode ? 12 : longestCode) ? Array(json.raw) : nil
    }
}
