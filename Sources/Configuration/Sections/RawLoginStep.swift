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
    var retryAfter: Cursor?
    var captures: [Named<Cursor>] = []

    static var section: Section<RawLoginStep> {
        Section(RawLoginStep()) { initial in requestFields(initial) + answerFields(initial) }
    }

    private static func requestFields(_ initial: RawLoginStep) -> [Field<RawLoginStep>] {
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
        ]
    }

    private static func answerFields(_ initial: RawLoginStep) -> [Field<RawLoginStep>] {
        [
            .key(
                "success", .expression, into: \.success, note: "status in 200..299",
                "Over the answer: the step worked."),
            .key(
                "refused", .expression, into: \.refused, note: "status == 401, in `login`",
                "Over the answer: the credentials are wrong; no further try until the operator acts. `check` warns of a step that sends a secret and leaves it out."
            ),
            .key(
                "retry_after", .expression, into: \.retryAfter, note: "`Retry-After` of the answer",
                "Over an answer that is no success: when to try again; seconds, a duration or a time. Where it has a value, a refusal only lasts that long."
            ),
            .key(
                "capture", ValueReader.expression.named("NAME", rule: .identifier), into: \.captures,
                default: initial,
                "Values of the answer, used as `session.NAME`. `expires_in` (seconds) and `expires_at` (Unix time, RFC 3339 or HTTP date) tell when the session ends."
            ),
            .key(
                "poll", RawPoll.section.reader, into: \.poll,
                "The step is sent again while its answer says that somebody has yet to approve the login."),
            .key(
                "human", .template, into: \.human,
                "With `poll`: what a person has to do meanwhile. Without: what they are asked before the request; the answer is `session.human`. Such a login runs only when an operator asks for it. Clients get the text with `login_required`."
            ),
        ]
    }
}
