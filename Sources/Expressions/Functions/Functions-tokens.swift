import Bytes
import Cryptography
import JSONBytes

/// What logins need: the claims of a JWT, one-time passwords, cookies of an answer.
extension FunctionTable {
    static let tokens: [Function] =
        [
            Function(
                "jwt.claims(string) -> dyn",
                summary: "Claims of a JWT (RFC 7519), read without checking its signature: `jwt.claims(token).exp`.",
                example: "jwt.claims('eyJhbGciOiJub25lIn0.eyJleHAiOjk5fQ.').exp == 99",
                body: .unary { value throws(EvaluationError) in try jwtPart(value, 1) }),
            Function(
                "jwt.header(string) -> dyn", summary: "Header of a JWT, read without checking its signature.",
                example: "jwt.header('eyJhbGciOiJub25lIn0.eyJleHAiOjk5fQ.').alg == 'none'",
                body: .unary { value throws(EvaluationError) in try jwtPart(value, 0) }),
            oneTimePassword,
        ] + cookies

    /// RFC 6238: HMAC over the count of periods since 1970, cut down to digits.
    private static let oneTimePassword = Function(
        "totp(string|bytes, timestamp) -> string", "totp(string|bytes, timestamp, int) -> string",
        "totp(string|bytes, timestamp, int, int) -> string",
        "totp(string|bytes, timestamp, int, int, string) -> string",
        summary:
            "One-time password (RFC 6238) of a secret (base 32 text, or bytes) and a time, mostly `now`; then digits "
            + "(6), period in seconds (30) and digest (`sha1`).",
        example: "totp(b'12345678901234567890', timestamp(59), 8) == '94287082'",
        body: .variadic { values throws(EvaluationError) in
            let seconds = try values[1].requireTimestamp().seconds
            let digits = values.count > 2 ? try values[2].requireInt() : 6
            let period = values.count > 3 ? try values[3].requireInt() : 30
            let digest = values.count > 4 ? try values[4].requireString() : ArraySlice("sha1".utf8)
            guard 4...10 ~= digits else { throw .argument("digits: 4 to 10") }
            guard 1...86_400 ~= period, seconds >= 0 else { throw .argument("period: 1 to 86400 seconds") }
            // RFC 4226 5.3 reads up to byte 19 of the digest; MD5 has 16.
            guard let algorithm = DigestAlgorithm(rawValue: String(decoding: digest, as: UTF8.self)),
                algorithm.byteCount >= 20
            else { throw .argument("digest: sha1, sha256 or sha512") }
            let key = try OneTimePassword.key(values[0])
            return .text(
                OneTimePassword.code(key, counter: UInt64(seconds / Int64(period)), digits: digits, algorithm))
        })

    private static let cookies: [Function] = [
        Function(
            "cookie.value(pairs, string) -> string",
            summary: "Value of a cookie that an answer sets: `cookie.value(headers, 'SID')`.",
            body: .binary { fields, name throws(EvaluationError) in
                guard let cookie = SetCookieText(in: fields, name: try name.requireString()) else {
                    throw .unavailable("the answer sets no such cookie")
                }
                return .string(cookie.value)
            }),
        Function(
            "cookie.maxAge(pairs, string) -> int",
            summary: "`Max-Age` in seconds of a cookie that an answer sets; an error when it has none.",
            body: .binary { fields, name throws(EvaluationError) in
                guard let cookie = SetCookieText(in: fields, name: try name.requireString()),
                    let text = cookie.attribute("max-age"), let seconds = ASCII.decimal(text.span)
                else { throw .unavailable("the answer sets no such cookie with a Max-Age") }
                return .int(Int64(clamping: seconds))
            }),
    ]

    private static func jwtPart(_ value: Value, _ index: Int) throws(EvaluationError) -> Value {
        let token = try value.requireString()
        let parts = token.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5 else {
            throw .argument("jwt: three parts with dots between, in base64url")
        }
        let part = parts[index]
        guard let text = Base64.decode(part.span, alphabet: .url, padding: .optional),
            let document = try? JSONDocument(parsing: text)
        else { throw .argument("jwt: three parts with dots between, in base64url") }
        return .json(document.root)
    }
}

/// One `Set-Cookie` line of an answer (RFC 6265 4.1.1).
struct SetCookieText {
    let value: ArraySlice<UInt8>
    private let attributes: [ArraySlice<UInt8>]

    /// The last line of that name: it is the one that holds.
    init?(in fields: Value, name: ArraySlice<UInt8>) {
        guard case .pairs(let block, _) = fields else { return nil }
        let field = Array("set-cookie".utf8)
        for index in stride(from: block.count - 1, through: 0, by: -1) {
            let fieldName = block.name(at: index)
            guard ASCII.equalFolded(fieldName.span, field.span) else { continue }
            let parts = block.value(at: index).split(separator: 0x3B, omittingEmptySubsequences: false)
            guard let pair = parts.first, let equals = pair.firstIndex(of: 0x3D),
                ASCII.trimmed(pair[..<equals]).elementsEqual(name)
            else { continue }
            value = ASCII.trimmed(pair[(equals + 1)...])
            attributes = parts.dropFirst().map { ASCII.trimmed($0) }
            return
        }
        return nil
    }

    func attribute(_ name: String) -> ArraySlice<UInt8>? {
        let wanted = Array(name.utf8)
        for attribute in attributes {
            guard let equals = attribute.firstIndex(of: 0x3D) else { continue }
            let found = ASCII.trimmed(attribute[..<equals])
            if ASCII.equalFolded(found.span, wanted.span) { return ASCII.trimmed(attribute[(equals + 1)...]) }
        }
        return nil
    }
}
