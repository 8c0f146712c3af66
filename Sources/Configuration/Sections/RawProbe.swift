/// `probe`.
struct RawProbe {
    var path: String?
    var every: UInt64 = 5_000_000_000
    var timeout: UInt64 = 2_000_000_000

    static var section: Section<RawProbe> {
        Section(RawProbe()) { initial in
            [
                .key(
                    "path", .requestPath, into: \.path, isRequired: true,
                    "Path asked for; the base path goes before it."),
                .key("every", .interval, into: \.every, default: initial, "Time between two checks, at least 50ms."),
                .key("timeout", .positiveDuration, into: \.timeout, default: initial, "Longest wait for an answer."),
            ]
        }
    }
}
