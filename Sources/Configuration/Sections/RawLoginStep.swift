/// One step of a login as read.
struct RawLoginStep {
    var request: Placed<RawLoginRequest>?
    var signatures: [Placed<String>] = []
    var success: Cursor?
    var refused: Cursor?
    var captures: [Named<Cursor>] = []

    static var section: Section<RawLoginStep> {
        Section(RawLoginStep()) { initial in
            [
                .key(
                    "request", RawLoginRequest.section.reader.placed, into: \.request, isRequired: true,
                    "The request that is sent."),
                .key(
                    "sign", ValueReader.text("name of a signature").placed.list, into: \.signatures, default: initial,
                    "Signatures of this request, in order."),
                .key(
                    "success", .expression, into: \.success, note: "status in 200..299",
                    "Over the answer: the step worked."),
                .key(
                    "refused", .expression, into: \.refused, note: "false",
                    "Over the answer: the credentials are wrong; no further try until the operator acts."),
                .key(
                    "capture", ValueReader.expression.named("NAME", rule: .identifier), into: \.captures,
                    default: initial,
                    "Values of the answer, used as `session.NAME`. `expires_in` (seconds) and `expires_at` (Unix time) tell when the session ends."
                ),
            ]
        }
    }
}
