/// `keepalive` of a session as read.
struct RawKeepalive {
    var every: UInt64 = 300_000_000_000
    var longest: UInt64 = 3_600_000_000_000
    var request: Placed<RawLoginRequest>?
    var signatures: [Placed<String>] = []

    static var section: Section<RawKeepalive> {
        Section(RawKeepalive()) { initial in
            [
                .key(
                    "every", .interval, into: \.every, default: initial,
                    "Sent when nothing went out with the credential for so long, at least 50ms."),
                .key(
                    "for", .positiveDuration, into: \.longest, default: initial,
                    "So long after the last request of a client the session is left to end."),
                .key(
                    "request", RawLoginRequest.section.reader.placed, into: \.request, isRequired: true,
                    "The request that is sent, with what the session attaches."),
                .key(
                    "sign", ValueReader.text("name of a signature").placed.list, into: \.signatures, default: initial,
                    "Signatures of this request, in order."),
            ]
        }
    }
}
