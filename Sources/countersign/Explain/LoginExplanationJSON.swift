import Bytes
import Domain
import JSONBytes

/// A login for programs: the same content, masked the same way.
enum LoginExplanationJSON {
    static func bytes(_ explanation: LoginExplanation, _ mask: SecretMask) -> [UInt8] {
        let session = explanation.session
        var writer = JSONWriter()
        writer.beginObject()
        ExplanationJSON.write(text: session.name, "session", &writer)
        ExplanationJSON.write(text: explanation.upstream.name, "upstream", &writer)
        write(SessionWords.rows(session), mask, &writer)
        writer.key("captures")
        writer.beginArray()
        for name in session.captureNames { ExplanationJSON.write(Array(name.utf8), &writer) }
        writer.endArray()
        writer.key("steps")
        writer.beginArray()
        for step in explanation.steps { write(step, session.captureNames, mask, &writer) }
        writer.endArray()
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }

    private static func write(
        _ step: LoginExplanation.Step, _ names: [String], _ mask: SecretMask, _ writer: inout JSONWriter
    ) {
        writer.beginObject()
        ExplanationJSON.write(text: step.name, "name", &writer)
        ExplanationJSON.write(text: step.upstream.name, "upstream", &writer)
        ExplanationJSON.write(step.computed, mask, &writer)
        writer.key("signatureSkipped")
        writer.bool(step.skipsSignature)
        writer.key("placeholders")
        writer.beginArray()
        for name in step.placeholders { ExplanationJSON.write(Array(name.utf8), &writer) }
        writer.endArray()
        write(SessionWords.rows(step.recipe, names), mask, &writer)
        writer.key("request")
        if let request = step.request { ExplanationJSON.write(request, mask, &writer) } else { writer.null() }
        ExplanationJSON.write(refusal: step.refusal, mask, &writer)
        if let answer = step.answer { ExplanationJSON.write(answer, mask, &writer) }
        writer.endObject()
    }

    /// What the text output says line by line.
    private static func write(_ rows: [SessionWords.Row], _ mask: SecretMask, _ writer: inout JSONWriter) {
        writer.key("about")
        writer.beginArray()
        for row in rows {
            writer.beginObject()
            ExplanationJSON.write(text: row.label, "label", &writer)
            ExplanationJSON.write(text: mask(row.text), "text", &writer)
            writer.endObject()
        }
        writer.endArray()
    }
}
