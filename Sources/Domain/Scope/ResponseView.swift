package import Bytes
package import Expressions
package import JSONBytes

/// An answer as expressions see it: `response`, and `status`, `headers`, `json`, `text` for short. The body is decoded
/// when an expression first asks for it; a body that is no JSON makes `json` an error, so that a predicate is false.
package final class ResponseView: HostObject {
    package static let type = ObjectType(
        name: "response",
        members: [("status", .int), ("headers", .pairs), ("json", .dyn), ("body", .bytes), ("text", .string)])

    package let status: Int
    package let fields: PairBlock
    private var body: [UInt8]
    private var range: Range<Int>
    private var parsed: JSONDocument?
    private var failedToParse = false

    package init(status: Int, fields: PairBlock, body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
        range = 0..<body.count
    }

    package var objectType: ObjectType { Self.type }

    package func member(_ index: Int) throws(EvaluationError) -> Value {
        switch index {
        case 0: return .int(Int64(status))
        case 1: return .pairs(fields, folding: true)
        case 2: return .json(try document().root)
        case 3: return .bytes(body[...])
        case 4: return .string(body[range])
        default: throw EvaluationError.unavailable("response has no such member")
        }
    }

    /// From now on `json` and `text` are this part of the body (what the envelope's unwrap steps left).
    package func narrow(to range: Range<Int>) {
        guard range != self.range else { return }
        self.range = range
        (parsed, failedToParse) = (nil, false)
    }

    /// Applies an envelope's unwrap steps; without an envelope, JSON is looked for behind a byte order mark and behind
    /// text such as a PHP notice, so that an expiry test sees it.
    package func narrow(by envelope: EnvelopePlan?) throws(GatewayError) {
        let type = fields.first("content-type", folding: true)
        narrow(to: try Unwrapper.range(of: body, contentType: type, steps: envelope?.unwrap ?? [.bom, .skipToJSON]))
    }

    /// The JSON document in the body, parsed once.
    package func document() throws(EvaluationError) -> JSONDocument {
        if let parsed { return parsed }
        guard !failedToParse else { throw EvaluationError.unavailable("the answer is not JSON") }
        do {
            let bytes = range.count == body.count ? body : Array(body[range])
            let document = try JSONDocument(parsing: bytes)
            parsed = document
            return document
        } catch {
            failedToParse = true
            throw EvaluationError.unavailable("the answer is not JSON")
        }
    }
}
