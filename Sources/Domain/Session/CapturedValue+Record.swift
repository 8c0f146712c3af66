import Cryptography
import Expressions
import JSONBytes

/// `["NAME", TYPE, CONTENT]` in a `SessionRecord`; the name is the caller's.
extension CapturedValue {
    func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.string("null")
        case .bool(let flag): Self.write("bool", &writer) { $0.bool(flag) }
        case .int(let number): Self.write("int", &writer) { $0.int(number) }
        case .uint(let number): Self.write("uint", &writer) { $0.uint(number) }
        // Its bits: a text would have to be read back to the last one.
        case .double(let number): Self.write("double", &writer) { $0.uint(number.bitPattern) }
        case .string(let text): Self.write("string", &writer) { $0.base64(text) }
        case .bytes(let bytes): Self.write("bytes", &writer) { $0.base64(bytes) }
        case .timestamp(let time):
            Self.write("timestamp", &writer) { $0.int(time.seconds) }
            writer.int(Int64(time.nanoseconds))
        case .duration(let nanoseconds): Self.write("duration", &writer) { $0.int(nanoseconds) }
        case .json(let document): Self.write("json", &writer) { $0.raw(Array(document.root.raw)) }
        }
    }

    private static func write(_ type: StaticString, _ writer: inout JSONWriter, _ content: (inout JSONWriter) -> Void) {
        writer.string(type)
        content(&writer)
    }

    init?(record: JSONValue) {
        guard let type = record.element(at: 1)?.text else { return nil }
        let content = record.element(at: 2)
        let value: CapturedValue? =
            switch String(decoding: type, as: UTF8.self) {
            case "null": .null
            case "bool": content?.boolValue.map { .bool($0) }
            case "int": content?.int64.map { .int($0) }
            case "uint": content?.uint64.map { .uint($0) }
            case "double": content?.uint64.map { .double(Double(bitPattern: $0)) }
            case "string": content?.base64.map { .string($0) }
            case "bytes": content?.base64.map { .bytes($0) }
            case "timestamp": Self.timestamp(content?.int64, record.element(at: 3)?.int64)
            case "duration": content?.int64.map { .duration(nanoseconds: $0) }
            case "json": content.flatMap { try? JSONDocument(parsing: Array($0.raw)) }.map { .json($0) }
            default: nil
            }
        guard let value else { return nil }
        self = value
    }

    private static func timestamp(_ seconds: Int64?, _ nanoseconds: Int64?) -> CapturedValue? {
        guard let seconds, let nanoseconds else { return nil }
        return Timestamp(seconds: seconds, nanoseconds: nanoseconds).map { .timestamp($0) }
    }
}

extension JSONWriter {
    mutating func base64(_ bytes: [UInt8]) {
        let text = Base64.encode(bytes.span)
        string(text.span)
    }
}

extension JSONValue {
    var base64: [UInt8]? {
        guard let text else { return nil }
        return Base64.decode(text.span)
    }
}
