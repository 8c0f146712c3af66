package import Bytes
package import Expressions
package import JSONBytes
import XMLBytes

/// An answer as expressions see it: `response`, and `status`, `headers`, `json`, `text` for short. The body is decoded
/// when an expression first asks for it; a body that is no JSON makes `json` an error, so that a predicate is false.
///
/// There are two views of a body. Tests that belong to a session or a signature (`expired`, `taken`, `clock_refused`,
/// `success` of a login, ...) see the document that the upstream sent (`decode`), the same on every route. What an
/// envelope reads is what its `unwrap` steps and `open` leave of it (`read`); a session that names an envelope sees that
/// too.
package final class ResponseView: HostObject {
    package static let type = ObjectType(
        name: "response",
        members: [
            ("status", .int), ("headers", .pairs), ("json", .dyn), ("body", .bytes), ("text", .string),
            ("xml", .dyn),
        ])

    package let status: Int
    package let fields: PairBlock
    let received: [UInt8]
    /// Without its content coding.
    private var body: [UInt8]
    /// What the steps left of it.
    private var bytes: [UInt8]
    private var range: Range<Int>
    private var parsed: JSONValue?
    private var failedToParse = false
    private var parsedXML: Value?
    /// Why there is no body to look at.
    private var closed: String?
    /// Of the envelope that has read it last.
    var reading: EnvelopeReading?

    package init(status: Int, fields: PairBlock, body: [UInt8]) {
        self.status = status
        self.fields = fields
        received = body
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
        case 3:
            try requireBody()
            return .bytes(body[...])
        case 4:
            try requireBody()
            return .string(bytes[range])
        case 5: return try xml()
        default: throw EvaluationError.unavailable("response has no such member")
        }
    }

    /// The document that the upstream sent: without content coding, in UTF-8, without what may stand around it (a byte
    /// order mark, a guard against script inclusion, a callback, a PHP notice).
    /// - Parameters:
    ///   - envelope: says in which charset the upstream writes, where it does.
    ///   - limit: most bytes that a content coding may decode to.
    /// - Throws: `bad_answer`; the view is unchanged then.
    package func decode(for envelope: EnvelopePlan? = nil, limit: Int = 1 << 20) throws(GatewayError) {
        let charsets = [.charset] + (envelope?.unwrap ?? []).filter(\.isCharset)
        let around: [UnwrapStep] = [.bom, .xssi, .jsonp, .skipToJSON]
        reading = nil
        if let decoded = try? unwrap(charsets + around, limit) {
            show(decoded)
        } else {
            // A label that is unknown or wrong hides nothing from a test that asks for ASCII.
            show(try unwrap(around, limit))
        }
    }

    /// As it came, without its content coding. Returns why that cannot be undone.
    func undoCoding(limit: Int) -> String? {
        reading = nil
        do {
            show(try unwrap([], limit))
            return nil
        } catch {
            return error.detail
        }
    }

    /// What an envelope's `unwrap` steps leave.
    /// - Throws: `bad_answer`; the view is unchanged then.
    package func narrow(by envelope: EnvelopePlan, limit: Int = 1 << 20) throws(GatewayError) {
        show(try unwrap(envelope.unwrap, limit))
    }

    /// From now on `json`, `text` and `xml` are of this text, or of the JSON of this value. An empty optional changes nothing.
    package func open(_ content: Value) {
        if case .optional(nil) = content { return }
        var text: [UInt8] = []
        content.appendText(to: &text)
        (bytes, range) = (text, 0..<text.count)
        (parsed, failedToParse, parsedXML) = (nil, false, nil)
    }

    /// From now on nothing is known of the body: it is not what the envelope takes it for.
    func close(_ problem: String) { closed = problem }

    private func requireBody() throws(EvaluationError) {
        if let closed { throw .unavailable(closed) }
    }

    private func unwrap(_ steps: [UnwrapStep], _ limit: Int) throws(GatewayError) -> Unwrapped {
        try Unwrapper.unwrap(
            received, contentType: fields.first("content-type", folding: true),
            contentEncoding: fields.first("content-encoding", folding: true), steps: steps, limit: limit)
    }

    private func show(_ text: Unwrapped) {
        // The usual envelope leaves what a test has parsed already.
        let isSame = text.range == range && text.bytes == bytes
        body = text.body
        closed = nil
        guard !isSame else { return }
        (bytes, range) = (text.bytes, text.range)
        (parsed, failedToParse, parsedXML) = (text.value, false, nil)
    }

    /// The JSON in the answer, parsed once.
    package func json() throws(EvaluationError) -> JSONValue {
        try requireBody()
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
        try requireBody()
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
