import Bytes
import Cryptography
import JSONBytes

extension FunctionTable {
    static let encoders: [Function] = [
        Function(
            "hex.encode(string|bytes) -> string", summary: "Base 16, lower case.",
            example: "hex.encode(b'\\xff') == 'ff'",
            body: .transform(hex(upper: false))),
        Function(
            "hex.encodeUpper(string|bytes) -> string", summary: "Base 16, upper case.",
            example: "hex.encodeUpper(b'\\xff') == 'FF'",
            body: .transform(hex(upper: true))),
        Function(
            "hex.decode(string) -> bytes", summary: "Bytes of base 16 in either case.",
            example: "hex.decode('fF') == b'\\xff'",
            body: .unary { value throws(EvaluationError) in
                let text = try value.requireString()
                guard let bytes = Hex.decode(text.span) else {
                    throw .argument("hex: an even number of digits 0-9 and a-f")
                }
                return .bytes(bytes[...])
            }),
        Function(
            "base64.encode(string|bytes) -> string", summary: "Base 64 with padding.",
            example: "base64.encode(b'hello') == 'aGVsbG8='",
            body: .transform(Transform { Base64.encode($0) })),
        Function(
            "base64.decode(string) -> bytes",
            summary: "Bytes of base 64, with or without padding; line breaks (MIME, PEM) do not matter, blanks do.",
            example: "base64.decode('aGVs\\r\\nbG8') == b'hello'",
            body: .unary { value throws(EvaluationError) in
                let text = try value.requireString().filter { $0 != 0x0D && $0 != 0x0A }
                guard let bytes = Base64.decode(text.span, padding: .optional) else {
                    throw .argument("base64: letters, digits, `+` and `/` (with `-` and `_` it is base64url)")
                }
                return .bytes(bytes[...])
            }),
        Function(
            "base64.encodeUnpadded(string|bytes) -> string", summary: "Base 64 without padding.",
            example: "base64.encodeUnpadded(b'hello') == 'aGVsbG8'",
            body: .transform(Transform { Base64.encode($0, padding: false) })),
        Function(
            "base64url.encodePadded(string|bytes) -> string", summary: "Base 64 with `-` and `_`, with padding.",
            example: "base64url.encodePadded(b'\\xff\\xfe') == '__4='",
            body: .transform(Transform { Base64.encode($0, alphabet: .url) })),
        Function(
            "base64url.encode(string|bytes) -> string", summary: "Base 64 with `-` and `_`, without padding.",
            example: "base64url.encode(b'\\xff\\xfe') == '__4'",
            body: .transform(Transform { Base64.encode($0, alphabet: .url, padding: false) })),
        Function(
            "base64url.decode(string) -> bytes", summary: "Bytes of base 64 with `-` and `_`, with or without padding.",
            example: "base64url.decode('__4') == b'\\xff\\xfe'",
            body: .unary { value throws(EvaluationError) in
                let text = try value.requireString()
                guard let bytes = Base64.decode(text.span, alphabet: .url, padding: .optional) else {
                    throw .argument("base64url: letters, digits, `-` and `_` (with `+` and `/` it is base64)")
                }
                return .bytes(bytes[...])
            }),
        Function(
            "url.encode(string|bytes) -> string",
            summary: "Percent-encoding of all but RFC 3986 unreserved characters.",
            example: "url.encode('a b/c~') == 'a%20b%2Fc~'",
            body: .transform(percent())),
        Function(
            "url.encodePath(string|bytes) -> string", summary: "As `url.encode`, with `/` left as it is.",
            example: "url.encodePath('/a b') == '/a%20b'",
            body: .transform(percent(keepingSlash: true))),
        Function(
            "url.encodeForm(string|bytes) -> string", summary: "As `url.encode`, with `+` for a blank.",
            example: "url.encodeForm('a b&') == 'a+b%26'",
            body: .transform(percent(spaceIsPlus: true))),
        Function(
            "url.decode(string) -> string", summary: "Percent-encoding undone; a broken escape stays as it is.",
            example: "url.decode('a%20b+c') == 'a b+c'",
            body: .unary { value throws(EvaluationError) in try unpercent(value, plusIsSpace: false) }),
        Function(
            "url.decodeForm(string) -> string", summary: "As `url.decode`, with `+` read as a blank.",
            example: "url.decodeForm('a%20b+c') == 'a b c'",
            body: .unary { value throws(EvaluationError) in try unpercent(value, plusIsSpace: true) }),
    ]

    private static func hex(upper: Bool) -> Transform {
        Transform(toBytes: false) { bytes in
            Hex.encode(bytes, upper: upper)
        } tail: { buffer, start in
            Hex.encode(tailOf: &buffer, from: start, upper: upper)
        }
    }

    private static func percent(keepingSlash: Bool = false, spaceIsPlus: Bool = false) -> Transform {
        Transform { bytes in
            var output: [UInt8] = []
            Percent.encode(bytes, keepingSlash: keepingSlash, spaceIsPlus: spaceIsPlus, into: &output)
            return output
        }
    }

    private static func unpercent(_ value: Value, plusIsSpace: Bool) throws(EvaluationError) -> Value {
        let text = try value.requireString()
        var output: [UInt8] = []
        Percent.decode(text.span, plusIsSpace: plusIsSpace, into: &output)
        return .text(output)
    }

    /// Bytes that are no text have no JSON; a replacement character in their place would be signed as if it had been sent.
    private static func requireUnicode(_ value: Value) throws(EvaluationError) {
        guard value.isUnicode else { throw .argument("text that is no UTF-8") }
    }

    static let jsonText: [Function] = [
        Function(
            "json.sorted(dyn) -> string",
            summary:
                "The value as JSON text without blanks, the members of every object in the byte order of their names; "
                + "numbers and strings as they were written.",
            example: "json.sorted({'b': 1, 'a': {'d': [], 'c': null}}) == '{\"a\":{\"c\":null,\"d\":[]},\"b\":1}'",
            body: .unary { value throws(EvaluationError) in
                try requireUnicode(value)
                var output: [UInt8] = []
                try SortedJSON.append(value, to: &output)
                return .text(output)
            }),
        Function(
            "json.encode(dyn) -> string",
            summary: "The value as JSON text; parts of a JSON document stay as they were written.",
            example: "json.encode({'a': [1, true, null]}) == '{\"a\":[1,true,null]}'",
            body: .unary { value throws(EvaluationError) in
                try requireUnicode(value)
                var output: [UInt8] = []
                value.appendJSON(to: &output)
                return .text(output)
            }),
        Function(
            "json.decode(string|bytes) -> dyn", summary: "The value of a JSON text (JSON inside a string).",
            example: "json.decode('{\"a\": [1]}').a[0] == 1",
            body: .unary { value throws(EvaluationError) in
                let bytes = Array(try value.requireContents())
                guard let document = try? JSONDocument(parsing: bytes) else {
                    throw .argument("JSON: the text is none")
                }
                return .json(document.root)
            }),
    ]

    static let digests: [Function] = DigestAlgorithm.allCases.flatMap { algorithm -> [Function] in
        // A dash is a minus: `hash.sha3_256`.
        let name = algorithm.name.split(separator: "-").joined(separator: "_")
        return [
            Function(
                "hash.\(name)(string|bytes) -> bytes", summary: "Digest \(algorithm.name).",
                example: "size(hash.\(name)('abc')) == \(algorithm.byteCount)",
                body: .transform(
                    Transform(toBytes: true) { bytes in
                        Digest.hash(algorithm, bytes)
                    } tail: { buffer, start in
                        Digest.hash(algorithm, tailOf: &buffer, from: start)
                    })),
            Function(
                "hmac.\(name)(string|bytes, string|bytes) -> bytes",
                summary: "Keyed digest HMAC-\(algorithm.name) (RFC 2104) of key and message.",
                example: "size(hmac.\(name)('key', 'message')) == \(algorithm.byteCount)",
                body: .binary { key, message throws(EvaluationError) in
                    let (key, message) = (try key.requireContents(), try message.requireContents())
                    return .bytes(HMAC.authenticate(algorithm, key: key.span, message: message.span)[...])
                }),
        ]
    }
}
