import Bytes
import Expressions
import HTTPWire

/// RFC 9457. A success has no problem: its data is the body, as `application/json`.
package enum ProblemDetails {
    package static let contentType = Array("application/problem+json".utf8)

    /// Gateway-made: `type` names the kind, `title` is the localized text, `detail` the cause. From the upstream: `title` is
    /// its own message, or what its status says; `code` and `data` come along as extensions.
    package static func append(_ message: RenderedMessage, to output: inout [UInt8]) {
        if message.ok { return message.data.appendJSON(to: &output) }
        output.append(contentsOf: "{\"type\":".utf8)
        EnvelopeText.append(Array("urn:countersign:error:\(message.kind ?? "upstream")".utf8), to: &output)
        let isUntold = message.message.isAbsent || message.message.contents?.isEmpty == true
        let title = isUntold ? Value.text(StatusPhrase.of(message.status).bytes) : message.message
        if title.contents?.isEmpty != true {
            output.append(contentsOf: ",\"title\":".utf8)
            EnvelopeText.append(title, to: &output)
        }
        output.append(contentsOf: ",\"status\":".utf8)
        output.append(decimal: Int64(message.status))
        if message.kind != nil {
            output.append(0x2C)
            EnvelopeText.appendError(message, to: &output)
        } else {
            output.append(contentsOf: ",\"code\":".utf8)
            message.code.appendJSON(to: &output)
            if !message.data.isAbsent {
                output.append(contentsOf: ",\"data\":".utf8)
                message.data.appendJSON(to: &output)
            }
        }
        output.append(0x7D)
    }
}
