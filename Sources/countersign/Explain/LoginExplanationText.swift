import Domain

/// A login for people: the session first, then each step with its request, what it computed and what its answer means.
enum LoginExplanationText {
    static func bytes(_ explanation: LoginExplanation, _ mask: SecretMask) -> [UInt8] {
        var output = ExplanationText(mask)
        output.row("session", "\(explanation.session.name) at \(ExplanationText.upstream(explanation.upstream))")
        for row in SessionWords.rows(explanation.session) { output.row(row.label, line(row.text, mask)) }
        for capture in explanation.captures where capture.isGiven {
            // What the command line brought is masked by itself, however short.
            output.row("", "session.\(capture.name) = \(mask.isOff ? Printable.line(capture.value) : "***")")
        }
        for step in explanation.steps { write(step, explanation, mask, to: &output) }
        return Array(output.text.utf8)
    }

    private static func write(
        _ step: LoginExplanation.Step, _ explanation: LoginExplanation, _ mask: SecretMask,
        to output: inout ExplanationText
    ) {
        output.blank()
        output.row("step", "\(step.name), to \(ExplanationText.upstream(step.upstream))")
        output.write(computed: step.computed, unfinished: step.unfinishedCalls)
        if step.skipsSignature { output.writeSkipped() }
        for name in step.placeholders {
            output.row("unknown", "session.\(name) stands as <session.\(name)>; give it with --session \(name)=VALUE")
        }
        // Only a recipe that errs comes here.
        if let error = step.refusal { return output.row("refused", line(error.detail, mask)) }
        for row in SessionWords.rows(step.recipe, explanation.session.captureNames) {
            output.row(row.label, line(row.text, mask))
        }
        if let answer = step.answer { output.write(answer) }
        if let request = step.request { output.write(request) }
    }

    private static func line(_ text: String, _ mask: SecretMask) -> String { Printable.line(mask(Array(text.utf8))) }
}
