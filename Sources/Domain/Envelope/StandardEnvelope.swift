import Bytes
import Expressions
import JSONBytes

/// The gateway's own envelope: `{"success":true,"code":1,"message":"ok","data":...}`. Code and data are spliced verbatim: a
/// number stays the number it was, with all of its digits. `error` only when the gateway itself answers.
package enum StandardEnvelope {
    package static let contentType = Array("application/json; charset=utf-8".utf8)

    package static func append(_ message: RenderedMessage, to output: inout [UInt8]) {
        output.append(contentsOf: message.ok ? "{\"success\":true,\"code\":".utf8 : "{\"success\":false,\"code\":".utf8)
        message.code.appendJSON(to: &output)
        output.append(contentsOf: ",\"message\":".utf8)
        EnvelopeText.append(message.message, to: &output)
        output.append(contentsOf: ",\"data\":".utf8)
        message.data.appendJSON(to: &output)
        if message.kind != nil {
            output.append(contentsOf: ",\"error\":{".utf8)
            EnvelopeText.appendError(message, to: &output)
            output.append(0x7D)
        }
        output.append(0x7D)
    }
}

/// Parts that several renderings share.
enum EnvelopeText {
    /// A text for people: a string as it is, any other value as the text of it, an absent one as null.
    static func append(_ value: Value, to output: inout [UInt8]) {
        if value.isAbsent || value.string != nil { return value.appendJSON(to: &output) }
        var text: [UInt8] = []
        value.appendText(to: &text)
        append(text, to: &output)
    }

    static func append(_ text: [UInt8], to output: inout [UInt8]) {
        output.append(0x22)
        JSONText.appendEscaped(text.span, to: &output)
        output.append(0x22)
    }

    /// `"kind":"offline","detail":"...","retryAfter":3`
    static func appendError(_ message: RenderedMessage, to output: inout [UInt8]) {
        output.append(contentsOf: "\"kind\":".utf8)
        append(Array((message.kind ?? "").utf8), to: &output)
        output.append(contentsOf: ",\"detail\":".utf8)
        append(Array((message.detail ?? "").utf8), to: &output)
        if let seconds = message.retryAfter {
            output.append(contentsOf: ",\"retryAfter\":".utf8)
            output.append(decimal: seconds)
        }
    }
}
