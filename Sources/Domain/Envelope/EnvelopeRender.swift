import Bytes
package import Expressions

/// Speaks a dialect that the config declares: an object of the fields of `render`, in their order.
package enum EnvelopeRender {
    /// `context` shows the message (`ok`, `code`, ...). A template that is one `${...}` keeps the type of its value.
    /// - Throws: the field whose template errs, and why.
    package static func append(
        _ plan: EnvelopePlan, _ context: any EvaluationContext, to output: inout [UInt8]
    ) throws(EnvelopeFault) {
        output.append(0x7B)
        var isFirst = true
        for field in plan.render {
            if !isFirst { output.append(0x2C) }
            isFirst = false
            EnvelopeText.append(field.name, to: &output)
            output.append(0x3A)
            do {
                try field.value.evaluate(context).appendJSON(to: &output)
            } catch {
                throw EnvelopeFault(
                    part: .render, field: String(decoding: field.name, as: UTF8.self), reason: "\(error)")
            }
        }
        output.append(0x7D)
    }
}
