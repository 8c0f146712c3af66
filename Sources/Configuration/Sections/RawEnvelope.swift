import Domain

/// One envelope as read.
struct RawEnvelope {
    var unwrap: [EnvelopePlan.Unwrap] = []
    var ok: Cursor?
    var code: Cursor?
    var message: Cursor?
    var data: Cursor?
    var render: [Named<Cursor>] = []

    static var section: Section<RawEnvelope> {
        Section(RawEnvelope()) { initial in
            [
                .key(
                    "unwrap", step.list, into: \.unwrap, default: initial,
                    "What is taken off before the JSON is read, in order."),
                .key("ok", .expression, into: \.ok, note: "status in 200..299", "Over the answer: it is a success."),
                .key("code", .expression, into: \.code, note: "null", "The upstream's own code, passed on verbatim."),
                .key("message", .expression, into: \.message, note: "empty", "The upstream's own text."),
                .key("data", .expression, into: \.data, note: "null", "The payload, passed on verbatim."),
                .key(
                    "render", ValueReader.template.named("NAME", rule: .any), into: \.render, default: initial,
                    "How this dialect says something itself; `${...}` alone keeps its type."),
            ]
        }
    }

    private static var step: ValueReader<EnvelopePlan.Unwrap> {
        .choice(EnvelopePlan.Unwrap.allCases.map { ($0.rawValue, $0) }) { $0.rawValue }
    }
}
