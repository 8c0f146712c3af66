import Bytes
import Domain
import Expressions

/// An explanation for people. The final request comes last, so that it can be copied as a whole.
struct ExplanationText {
    let mask: SecretMask
    private(set) var text = ""

    init(_ mask: SecretMask) { self.mask = mask }

    func bytes(_ explanation: Explanation, _ input: ExplainInput) -> [UInt8] {
        var copy = self
        copy.write(explanation, input)
        return Array(copy.text.utf8)
    }

    private mutating func write(_ explanation: Explanation, _ input: ExplainInput) {
        row("asked", Printable.line(mask(Array("\(input.method) \(input.url)".utf8))))
        if let route = explanation.route {
            row("route", route.name + (route.methods.isEmpty ? "" : " (\(route.methods.joined(separator: ", ")))"))
        }
        if let upstream = explanation.upstream { row("upstream", Self.upstream(upstream)) }
        if let session = explanation.session { write(session) }
        for field in explanation.dropped {
            row("dropped", "\(field.place) \(Printable.line(field.name)): \(field.reason.rawValue)")
        }
        if let target = explanation.rewritten { row("rewrite", Printable.line(mask(target))) }
        writeComputed(explanation)
        if let error = explanation.refusal { return write(refusal: error, explanation) }
        for step in AnswerText.steps(explanation) { row("answer", step) }
        if let limits = explanation.route?.limits {
            row("limits", "body \(limits.body), replay \(limits.replay), inspect \(limits.inspect) bytes")
        }
        if let answer = explanation.answer { write(answer) }
        if let request = explanation.request {
            write(request)
        }
    }

    mutating func write(_ answer: AnswerExplanation) {
        for step in answer.steps {
            let value = AnswerText.value(step, mask).map { Printable.line($0) } ?? "errs: \(step.error ?? "")"
            row("sample", "\(step.name): \(value)  (\(Printable.line(Array(step.source.utf8))))")
        }
        if let verdict = answer.verdict {
            row("then", Printable.line(mask(Array(AnswerText.text(verdict).utf8))))
        } else if let refusal = answer.refusal {
            row("told", "\(ErrorResponse(refusal).status) \(refusal.kind.rawValue): \(mask(refusal.detail))")
        } else if let told = answer.told {
            row("told", "\(told.status) \(Printable.line(mask(told.body)))")
            if told.gaveWay { row("", "in the standard envelope, since render errs") }
        } else {
            row("told", "as it is")
        }
    }

    static func upstream(_ upstream: UpstreamPlan) -> String {
        var text = "\(upstream.name), \(upstream.scheme)://\(upstream.authority)"
        if let path = upstream.unixSocket { text += " through \(path)" }
        if upstream.proxy != nil { text += " through a proxy" }
        if upstream.version == .http2 { text += ", HTTP/2 (shown as HTTP/1.1)" }
        return text
    }

    private mutating func write(_ session: Explanation.Session) {
        switch session.state {
        case .unused: row("session", "\(session.name), not used: login is never")
        case .guest:
            row("session", "\(session.name), none: login is optional (give values with --session to see it with one)")
        case .attached:
            row("session", "\(session.name), login \(session.rule)")
            for capture in session.captures {
                // What the command line brought is masked by itself, however short.
                let shown = mask.isOff || !capture.isGiven ? Printable.line(capture.value) : "***"
                row("", "session.\(capture.name) = \(shown)")
            }
            if session.captures.contains(where: { !$0.isGiven }) {
                row("", "placeholders stand for values that a login brings; --session NAME=VALUE gives one")
            }
        }
    }

    private mutating func writeComputed(_ explanation: Explanation) {
        write(computed: explanation.computed, unfinished: explanation.unfinishedCalls)
        if explanation.skipsSignature { writeSkipped() }
    }

    mutating func writeSkipped() { row("signature", "none: the recipe's skip holds") }

    mutating func write(computed: [AssemblyTrace.Computed], unfinished: [CryptographicCall]) {
        for item in computed {
            let name = Printable.line(item.name)
            let value = Printable.line(mask(item.value))
            if let place = item.place {
                row("attach", "\(place)\(name.isEmpty ? "" : " ")\(name) = \(value)  (\(item.recipe))")
            } else {
                row(Self.label(of: item), "\(name) = \(value)")
            }
            for call in item.calls { write(call.function, call.message) }
        }
        for call in unfinished { write(call.function, call.message) }
    }

    static func label(of item: AssemblyTrace.Computed) -> String {
        switch item.recipe {
        case AssemblyTrace.request: "transform"
        case AssemblyTrace.field: "field"
        default: "variable"
        }
    }

    /// The request as it would be sent, after an empty line.
    mutating func write(_ request: Explanation.FinalRequest) {
        text += "\n"
        for line in Printable.lines(mask(request.bytes)) { text += line + "\n" }
    }

    private mutating func write(_ function: String, _ message: [UInt8]) {
        let lines = Printable.lines(mask(message))
        guard lines.count > 1 else { return row("", "  \(function) of \(message.count) bytes: \(lines[0])") }
        row("", "  \(function) of \(message.count) bytes in \(lines.count) lines:")
        for line in lines { row("", "    | \(line)") }
    }

    private mutating func write(refusal error: GatewayError, _ explanation: Explanation) {
        row("refused", "\(ErrorResponse(error).status) \(error.kind.rawValue): \(mask(error.detail))")
        // Only a recipe that errs has this origin.
        if error.origin == .gateway, explanation.session?.captures.contains(where: { !$0.isGiven }) == true {
            row("", "a placeholder may be the cause; give the value with --session NAME=VALUE")
        }
    }

    mutating func blank() { text += "\n" }

    mutating func row(_ label: String, _ content: String) {
        text += label + String(repeating: " ", count: max(1, 11 - label.count)) + content + "\n"
    }
}
