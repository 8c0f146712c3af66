/// One signature recipe as read.
struct RawSignature {
    var variables: [Named<Cursor>] = []
    var attach = RawAttach()
    var skip: Cursor?
    var clockRefused: Cursor?
    var echo: Cursor?

    static var section: Section<RawSignature> {
        Section(RawSignature()) { initial in
            [
                .key(
                    "variables", ValueReader.expression.named("NAME", rule: .identifier), into: \.variables,
                    default: initial, "Values in order; later ones see earlier ones as `vars.NAME`."),
                .key("attach", RawAttach.section.reader, into: \.attach, default: initial, "Where the signature goes."),
                .key(
                    "skip", .expression, into: \.skip, note: "false", "Over the request: leave this one unsigned."),
                .key(
                    "clock_refused", .expression, into: \.clockRefused, note: "false",
                    "Over the answer: the time of the signature was refused. `true`: the upstream's time is in `Date`; a timestamp or Unix time: that is it. The request is signed and sent again, once."
                ),
                .key(
                    "echo", .expression, into: \.echo, note: "none",
                    "Over the answer: the string that the upstream signed, where it tells; the log shows the first difference to ours."
                ),
            ]
        }
    }
}
