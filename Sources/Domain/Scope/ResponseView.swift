package import Bytes
package import Expressions
package import JSONBytes
import XMLBytes

/// An answer as expressions see it: `response`, and `status`, `headers`, `json`, `text` for short. The body is decoded
/// when an expression first asks for it; a body that is no JSON makes `json` an error, so that a predicate is false. So does
/// a body that is not here.
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
            ("xml", .dyn), ("reason", .string),
        ])

    /// Most bytes of an answer to a login, before and after its content coding. Routes have a limit of their own.
    package static let loginLimit = 1 << 20

    private enum Body: Equatable {
        case whole, awaited
        /// It never comes, and why.
        case absent(String)
    }

    package let head: UpstreamHead
    package var status: Int { head.status }
    package var fields: PairBlock { head.fields }
    private var state: Body
    private(set) var received: [UInt8] = []
    /// Without its content coding.
    private var body: [UInt8] = []
    /// What the steps left of it.
    private var bytes: [UInt8] = []
    private var range = 0..<0
    private var parsed: JSONValue?
    private var failedToParse = false
    private var parsedXML: Value?
    /// Why there is no body to look at.
    private var closed: String?
    /// Of the envelope that has read it last.
    var reading: EnvelopeReading?

    /// An answer whose body is still to come. An answer to HEAD and a 304 bring none, but speak of one (RFC 9110 9.3.2,
    /// 15.4.5): nothing can be said about it, not even that it is empty. That of a 204 is empty.
    package init(awaiting head: UpstreamHead, to request: RequestDraft) {
        self.head = head
        if request.isHead || head.status == 304 {
            state = .absent("an answer to HEAD, or a 304, comes without its body")
        } else {
            state = head.status == 204 ? .whole : .awaited
        }
    }

    /// A whole answer.
    package convenience init(_ head: UpstreamHead, to request: RequestDraft, body: [UInt8]) {
        self.init(awaiting: head, to: request)
        receive(body)
    }

    /// An answer whose body is all there is, whatever was asked.
    package init(whole head: UpstreamHead, body: [UInt8]) {
        self.head = head
        state = .whole
        receive(body)
    }

    package convenience init(status: Int, fields: PairBlock, body: [UInt8]) {
        self.init(whole: UpstreamHead(status: status, fields: fields, contentLength: nil), body: body)
    }

    /// The body may still decide what the head does not.
    package var awaitsBody: Bool { state == .awaited && closed == nil }

    /// The body is here.
    package func receive(_ body: [UInt8]) {
        if state == .awaited { state = .whole }
        received = body
        self.body = body
        (bytes, range) = (body, 0..<body.count)
    }

    /// From now on nothing is known of the body: it is not looked into, or not what the envelope takes it for.
    package func close(_ problem: String) { closed = problem }

    private func needBody() throws(EvaluationError) {
        if let closed { throw .pending(closed) }
        switch state {
        case .whole: return
        case .awaited: throw .pending("the body of the answer")
        case .absent(let reason): throw .pending(reason)
        }
    }

    package var objectType: ObjectType { Self.type }

    package func member(_ index: Int) throws(EvaluationError) -> Value {
        switch index {
        case 0: return .int(Int64(status))
        case 1: return .pairs(fields, folding: true)
        case 2: return .json(try json())
        case 3:
            try needBody()
            return .bytes(body[...])
        case 4:
            try needBody()
            return .string(bytes[range])
        case 5: return try xml()
        case 6: return .text(head.phrase)
        default: throw EvaluationError.unavailable("response has no such member")
        }
    }

    /// The document that the upstream sent: without content coding, in UTF-8, without what may stand around it (a byte
    /// order mark, a guard against script inclusion, a callback, a PHP notice).
    /// - Parameters:
    ///   - envelope: says in which charset the upstream writes, where it does.
    ///   - limit: most bytes that a content coding may decode to.
    /// - Throws: `bad_answer`; the view is unchanged then.
    package func decode(for envelope: EnvelopePlan? = nil, limit: Int = ResponseView.loginLimit) throws(GatewayError) {
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
    package func narrow(by envelope: EnvelopePlan, limit: Int = ResponseView.loginLimit) throws(GatewayError) {
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
        try needBody()
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
        try needBody()
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
