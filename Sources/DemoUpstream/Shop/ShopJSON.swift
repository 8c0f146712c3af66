import Bytes
import JSONBytes

/// Writes the shop's answers: `{"status":1,"msg":"...","result":...}`, strings as PHP writes them.
struct ShopJSON {
    private let escapesUnicode: Bool
    private var writer = JSONWriter()

    init(escapesUnicode: Bool) { self.escapesUnicode = escapesUnicode }

    /// Begins the envelope up to the payload's key; the payload follows.
    mutating func begin(status: Int, message: StaticString, payload: StaticString = "result") {
        writer.beginObject()
        member("status", status)
        member("msg", message)
        writer.key(payload)
    }

    /// Ends the envelope.
    mutating func end() -> ShopAnswer {
        writer.endObject()
        return ShopAnswer(body: writer.take())
    }

    mutating func beginObject() { writer.beginObject() }
    mutating func endObject() { writer.endObject() }
    mutating func beginArray() { writer.beginArray() }
    mutating func endArray() { writer.endArray() }
    mutating func key(_ name: StaticString) { writer.key(name) }
    mutating func int(_ value: Int64) { writer.int(value) }
    /// JSON as it stands.
    mutating func raw(_ json: StaticString) { writer.raw(json.bytes.span) }
    mutating func string(_ text: StaticString) { string(text.bytes) }
    mutating func string(_ text: [UInt8]) {
        var quoted: [UInt8] = []
        PHPJSON.append(string: text.span, escapesUnicode: escapesUnicode, to: &quoted)
        writer.raw(quoted.span)
    }

    mutating func member(_ name: StaticString, _ value: StaticString) {
        writer.key(name)
        string(value)
    }
    mutating func member(_ name: StaticString, _ value: [UInt8]) {
        writer.key(name)
        string(value)
    }
    mutating func member(_ name: StaticString, _ value: Int) {
        writer.key(name)
        writer.int(value)
    }
}
