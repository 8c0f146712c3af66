import Bytes
import Domain
import Expressions
import JSONBytes

/// An explanation for programs: the same content, masked the same way. Bytes that are no UTF-8 are `{"hex": "..."}`.
enum ExplanationJSON {
    static func bytes(_ explanation: Explanation, _ mask: SecretMask) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        write(text: explanation.route?.name, "route", &writer)
        write(text: explanation.upstream?.name, "upstream", &writer)
        write(explanation.session, mask, &writer)
        writer.key("dropped")
        writer.beginArray()
        for field in explanation.dropped {
            writer.beginObject()
            write(text: "\(field.place)", "place", &writer)
            write(field.name, "name", &writer)
            write(text: field.reason.rawValue, "reason", &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.key("rewrite")
        if let target = explanation.rewritten { write(mask(target), &writer) } else { writer.null() }
        write(explanation.computed, mask, &writer)
        writer.key("signatureSkipped")
        writer.bool(explanation.skipsSignature)
        writer.key("request")
        if let request = explanation.request { write(request, mask, &writer) } else { writer.null() }
        write(answerOf: explanation, &writer)
        if let answer = explanation.answer { write(answer, mask, &writer) }
        write(refusal: explanation.refusal, mask, &writer)
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }

    private static func write(_ session: Explanation.Session?, _ mask: SecretMask, _ writer: inout JSONWriter) {
        writer.key("session")
        guard let session else { return writer.null() }
        writer.beginObject()
        write(text: session.name, "name", &writer)
        write(text: session.state.rawValue, "state", &writer)
        write(text: "\(session.rule)", "login", &writer)
        writer.key("captures")
        writer.beginObject()
        for capture in session.captures {
            let shown = mask.isOff || !capture.isGiven ? capture.value : Array("***".utf8)
            let name = Array(capture.name.utf8)
            writer.key(name.span)
            write(shown, &writer)
        }
        writer.endObject()
        writer.endObject()
    }

    static func write(
        _ computed: [AssemblyTrace.Computed], _ mask: SecretMask, _ writer: inout JSONWriter
    ) {
        writer.key("computed")
        writer.beginArray()
        for item in computed {
            writer.beginObject()
            write(text: item.recipe, "recipe", &writer)
            write(
                text: item.place.map { "\($0)" } ?? ExplanationText.label(of: item), "place", &writer)
            write(item.name, "name", &writer)
            write(mask(item.value), "value", &writer)
            writer.key("inputs")
            writer.beginArray()
            for call in item.calls {
                writer.beginObject()
                write(text: call.function, "function", &writer)
                write(mask(call.message), "message", &writer)
                writer.endObject()
            }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
    }

    static func write(_ request: Explanation.FinalRequest, _ mask: SecretMask, _ writer: inout JSONWriter) {
        writer.beginObject()
        write(mask(request.line), "line", &writer)
        writer.key("fields")
        writer.beginArray()
        for index in 0..<request.fields.count {
            writer.beginObject()
            write(Array(request.fields.name(at: index)), "name", &writer)
            write(mask(Array(request.fields.value(at: index))), "value", &writer)
            writer.endObject()
        }
        writer.endArray()
        write(mask(request.body), "body", &writer)
        write(mask(request.bytes), "bytes", &writer)
        writer.endObject()
    }

    private static func write(answerOf explanation: Explanation, _ writer: inout JSONWriter) {
        writer.key("envelope")
        if let envelope = explanation.route?.envelope {
            writer.beginObject()
            write(text: envelope.from.name, "from", &writer)
            write(text: AnswerText.target(envelope), "to", &writer)
            write(text: envelope.status == .map ? "map" : "keep", "status", &writer)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.key("limits")
        guard let limits = explanation.route?.limits else { return writer.null() }
        writer.beginObject()
        writer.key("body")
        writer.uint(limits.body)
        writer.key("replay")
        writer.int(limits.replay)
        writer.key("inspect")
        writer.int(limits.inspect)
        writer.endObject()
    }

    static func write(_ answer: AnswerExplanation, _ mask: SecretMask, _ writer: inout JSONWriter) {
        writer.key("sample")
        writer.beginObject()
        writer.key("steps")
        writer.beginArray()
        for step in answer.steps {
            writer.beginObject()
            write(text: step.name, "name", &writer)
            write(text: step.source, "source", &writer)
            writer.key("value")
            if let value = AnswerText.value(step, mask) { write(value, &writer) } else { writer.null() }
            write(text: step.error, "error", &writer)
            writer.endObject()
        }
        writer.endArray()
        if let verdict = answer.verdict { write(text: mask(AnswerText.text(verdict)), "then", &writer) }
        writer.key("told")
        if let told = answer.told {
            writer.beginObject()
            writer.key("status")
            writer.int(told.status)
            write(mask(told.body), "body", &writer)
            writer.endObject()
        } else {
            writer.null()
        }
        write(refusal: answer.refusal, mask, &writer)
        writer.endObject()
    }

    static func write(refusal error: GatewayError?, _ mask: SecretMask, _ writer: inout JSONWriter) {
        writer.key("refused")
        guard let error else { return writer.null() }
        writer.beginObject()
        writer.key("status")
        writer.int(ErrorResponse(error).status)
        write(text: error.kind.rawValue, "kind", &writer)
        write(text: mask(error.detail), "detail", &writer)
        writer.endObject()
    }

    static func write(text: String?, _ key: StaticString, _ writer: inout JSONWriter) {
        writer.key(key)
        guard let text else { return writer.null() }
        let bytes = Array(text.utf8)
        writer.string(bytes.span)
    }

    static func write(_ bytes: [UInt8], _ key: StaticString, _ writer: inout JSONWriter) {
        writer.key(key)
        write(bytes, &writer)
    }

    static func write(_ bytes: [UInt8], _ writer: inout JSONWriter) {
        if Printable.isText(bytes) { return writer.string(bytes.span) }
        writer.beginObject()
        let digits = Hex.encode(bytes.span)
        writer.key("hex")
        writer.string(digits.span)
        writer.endObject()
    }
}
