/// `envelope` of a route as read.
struct RawEnvelopeRule {
    var from: Placed<String>?
    var target: Placed<String>?
    /// `keep`, `map`, or an expression.
    var status: Cursor?

    static var section: Section<RawEnvelopeRule> {
        Section(RawEnvelopeRule()) { _ in
            [
                .key(
                    "from", ValueReader.text("name of an envelope").placed, into: \.from, isRequired: true,
                    "Envelope that the upstream speaks."),
                .key(
                    "to", ValueReader.text("standard, problem, same or name of an envelope").placed, into: \.target,
                    note: "standard",
                    "What the client gets: `standard`, `problem` (RFC 9457), `same` (unchanged) or an envelope."),
                .key(
                    "status", .expression, into: \.status, note: "keep",
                    "`keep` the upstream's; `map`: a failure with a 2xx status becomes 422, a success with a 4xx or 5xx 200; or an expression over the message, also over the gateway's own errors."
                ),
            ]
        }
    }

    /// An expression says it, also of the gateway's own errors.
    var hasOwnStatus: Bool {
        guard case .scalar(let scalar) = status?.node.content else { return false }
        return scalar.text != "keep" && scalar.text != "map"
    }
}
