/// One signature recipe as read.
struct RawSignature {
    var variables: [Named<Cursor>] = []
    var attach = RawAttach()
    var skip: Cursor?

    static var section: Section<RawSignature> {
        Section(RawSignature()) { initial in
            [
                .key(
                    "variables", ValueReader.expression.named("NAME", rule: .identifier), into: \.variables,
                    default: initial, "Values in order; later ones see earlier ones as `vars.NAME`."),
                .key("attach", RawAttach.section.reader, into: \.attach, default: initial, "Where the signature goes."),
                .key(
                    "skip", .expression, into: \.skip, note: "false", "Over the request: leave this one unsigned."),
            ]
        }
    }
}
