package import Bytes
package import Expressions
package import JSONBytes
import XMLBytes

/// An answer as expressions see it: `response`, and `status`, `headers`, `json`, `text` for short. The body is decoded
/// when an expression first asks for it; a body that is no JSON makes `json` an error, so that a predicate is false.
package final class ResponseView: HostObject {
    package static let type = ObjectType(
        name: "response",
        members: [
            ("status", .int), ("headers", .pairs), ("json", .dyn), ("body", .bytes), ("text", .string),
            ("xml", .dyn),
        ])

    package let status: Int
    package let fields: PairBlock
    private var body: [UInt8]
    /// What the unwrap steps left of it.
    private var bytes: [UInt8]
    private var range: Range<Int>
    private var parsed: JSONValue?
    private var failedToParse = false
    private var parsedXML: Value?

    package init(status: Int, fields: PairBlock, body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
        bytes = body
        range = 0..<body.count
    }

    package var objectType: ObjectType { Self.type }

    package func member(_ index: Int) throws(EvaluationError) -> Value {
        switch index {
        case 0: return .int(Int64(status))
        case 1: return .pairs(fields, folding: true)
        case 2: return .json(try json())
        case 3: return .bytes(body[...])
        case 4: return .string(bytes[range])
        case 5: return try xml()
        default: throw EvaluationError.unavailable("response has no such member")
        }
    }

    /// Applies an envelope's unwrap steps: from now on `json`, `xml` and `text` are what they leave. Without an envelope,
    /// JSON is looked for behind a byte order mark and behind text such as a PHP notice, so that an expiry test sees it.
    /// - Parameter limit: most bytes that a content coding may decode to.
    /// - Throws: `bad_answer`; the view is unchanged then.
    package func narrow(by envelope: EnvelopePlan?, limit: Int = 1 << 20) throws(GatewayError) {
        let type = fields.first("content-type", folding: true)
        let coding = fields.first("content-encoding", folding: true)
        func unwrap(_ steps: [UnwrapStep]) throws(GatewayError) -> Unwrapped {
            try Unwrapper.unwrap(body, contentType: type, contentEncoding: coding, steps: steps, limit: limit)
        }
        let usual: [UnwrapStep] = [.bom, .skipToJSON]
        let text: Unwrapped
        if let envelope {
            text = try unwrap(envelope.unwrap)
        } else if let decoded = try? unwrap([.charset] + usual) {
            text = decoded
        } else {
            // A label that is unknown or wrong hides nothing from a test that asks for ASCII.
            text = try unwrap(usual)
        }
        (body, bytes, range) = (text.body, text.bytes, text.range)
        (parsed, failedToParse, parsedXML) = (text.value, false, nil)
    }

    /// The JSON in the answer, parsed once.
    package func json() throws(EvaluationError) -> JSONValue {
        if let parsed { return parsed }
        guard !failedToParse else { throw EvaluationError.unavailable("the answer is not JSON") }
        do {
            let bytes = range.upperBound == bytes.count ? bytes : Array(bytes[range])
            let start = range.upperBound == self.bytes.count ? range.lowerBound : 0
            let value = try JSONDocument(parsing: bytes, from: start).root
            parsed = value
            return value
        } catch {
            failedToParse = true
            throw EvaluationError.unavailable("the answer is not JSON")
        }
    }

    /// The XML document in the answer as a map of its root, read once.
    package func xml() throws(EvaluationError) -> Value {
        if let parsedXML { return parsedXML }
        let text = bytes[range].drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        guard text.first == 0x3C, let document = try? XMLDocument(parsing: Array(text)) else {
            throw EvaluationError.unavailable("the answer is not XML")
        }
        let value = Value.xml(document)
        parsedXML = value
        return value
    }
}
