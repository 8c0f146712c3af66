import Domain

/// One signature recipe as read.
struct RawSignature {
    var variables: [Named<Cursor>] = []
    var attach = RawAttach()
    var skip: Cursor?
    var clockRefused: Cursor?
    var echo: Cursor?
    var digest: DigestSigner?
    var aws: Placed<RawAWS>?
    var message: Placed<RawMessageSignature>?
    var oauth1: Placed<RawOAuth1>?

    var hasBuiltIn: Bool { digest != nil || aws != nil || message != nil || oauth1 != nil }

    static var section: Section<RawSignature> {
        Section(RawSignature()) { initial in recipeFields(initial) + builtInFields() }
    }

    private static func builtInFields() -> [Field<RawSignature>] {
        [
            .key(
                "digest", DigestSigner.section.reader, into: \.digest, note: "none",
                "Digests of the body as header fields, set before anything else is signed."),
            .key(
                "aws_sigv4", RawAWS.section.reader.placed, into: \.aws, note: "none", "AWS Signature Version 4."),
            .key(
                "http_message_signature", RawMessageSignature.section.reader.placed, into: \.message, note: "none",
                "HTTP message signature (RFC 9421)."),
            .key("oauth1", RawOAuth1.section.reader.placed, into: \.oauth1, note: "none", "OAuth 1.0a (RFC 5849)."),
        ]
    }

    private static func recipeFields(_ initial: RawSignature) -> [Field<RawSignature>] {
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
