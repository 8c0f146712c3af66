/// One step of a login as read.
struct RawLoginStep {
    var request: Placed<RawLoginRequest>?
    var upstream: Placed<String>?
    var variables: [Named<Cursor>] = []
    var poll: RawPoll?
    var human: Cursor?
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
                    "upstream", ValueReader.text("name of an upstream").placed, into: \.upstream,
                    note: "the session's", "Where this request goes, when it is another server than the API's."),
                .key(
                    "variables", ValueReader.expression.named("NAME", rule: .identifier), into: \.variables,
                    default: initial,
                    "Values in order, computed once before the request; used in it as `vars.NAME`."),
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
                .key(
                    "poll", RawPoll.section.reader, into: \.poll,
                    "The step is sent again while its answer says that somebody has yet to approve the login."),
                .key(
                    "human", .template, into: \.human,
                    "What a person has to do while the step is polled; clients get it with `login_required`."),
            ]
        }
    }
}
