package import ContentCoding

/// One step between an answer's bytes and the JSON (or XML) that its envelope is read from.
package enum UnwrapStep: Sendable, Equatable {
    /// The charset that the label names, or a mark of UTF-16, becomes UTF-8.
    case charset
    /// This charset, whatever the label says.
    case charsetIs(Charset)
    /// This charset where there is no label and the bytes are no UTF-8.
    case charsetFallback(Charset)
    case bom
    case xssi
    case jsonp
    case skipToJSON
    /// The text of the first element of this name, references decoded once.
    case xmlText([UInt8])
    /// The value at this JSON pointer (RFC 6901).
    case pointer([UInt8])
    /// The JSON text that a JSON string holds.
    case jsonString
    /// The value of the first member whose name matches this glob.
    case unwrapKey([UInt8])

    /// Place in the one order that works: bytes, then text, then markup, then JSON.
    package var rank: Int {
        switch self {
        case .charset: 0
        case .charsetIs: 1
        case .charsetFallback: 2
        case .bom: 3
        case .xssi: 4
        case .jsonp: 5
        case .skipToJSON: 6
        case .xmlText: 7
        case .pointer: 8
        case .jsonString: 9
        case .unwrapKey: 10
        }
    }

    /// It says in which charset the answer is written.
    package var isCharset: Bool { rank < Self.bom.rank }

    /// It goes into the document: tests of sessions and signatures look at it before.
    package var isStructural: Bool { rank > Self.skipToJSON.rank }

    /// As in the config file.
    package var text: String {
        switch self {
        case .charset: "charset"
        case .charsetIs(let charset): "{charset: \(charset.name)}"
        case .charsetFallback(let charset): "{charset_fallback: \(charset.name)}"
        case .bom: "bom"
        case .xssi: "xssi"
        case .jsonp: "jsonp"
        case .skipToJSON: "skip_to_json"
        case .xmlText(let name): "{xml_text: \(String(decoding: name, as: UTF8.self))}"
        case .pointer(let path): "{pointer: \(String(decoding: path, as: UTF8.self))}"
        case .jsonString: "json_string"
        case .unwrapKey(let glob): "{unwrap_key: \(String(decoding: glob, as: UTF8.self))}"
        }
    }
}
