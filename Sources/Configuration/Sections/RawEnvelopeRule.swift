import Domain

/// `envelope` of a route as read.
struct RawEnvelopeRule {
    var from: Placed<String>?
    var target: Placed<String>?
    var status = EnvelopeRule.StatusRule.keep

    static var section: Section<RawEnvelopeRule> {
        let words: [(word: String, value: EnvelopeRule.StatusRule)] = [("keep", .keep), ("map", .map)]
        return Section(RawEnvelopeRule()) { initial in
            [
                .key(
                    "from", ValueReader.text("name of an envelope").placed, into: \.from, isRequired: true,
                    "Envelope that the upstream speaks."),
                .key(
                    "to", ValueReader.text("standard, problem, same or name of an envelope").placed, into: \.target,
                    note: "standard",
                    "What the client gets: `standard`, `problem` (RFC 9457), `same` (unchanged) or an envelope."),
                .key(
                    "status", .choice(words) { $0 == .keep ? "keep" : "map" }, into: \.status, default: initial,
                    "`map`: a failure with a 2xx status becomes 422."),
            ]
        }
    }
}
