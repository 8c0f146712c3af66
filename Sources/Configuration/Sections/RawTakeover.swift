/// What happens when a login elsewhere ends the session, as read.
struct RawTakeover {
    enum Choice { case takeover, yield }
    var choice = Choice.takeover
    var bound = CountAndTime(count: 3, time: 600_000_000_000)

    static var choiceReader: ValueReader<Choice> {
        .choice([("takeover", .takeover), ("yield", .yield)]) { $0 == .takeover ? "takeover" : "yield" }
    }

    static var boundSection: Section<CountAndTime> {
        Section(RawTakeover().bound) { initial in
            [
                .key("times", .integer(1...1000), into: \.count, default: initial, "Most logins that take it back."),
                .key("per", .positiveDuration, into: \.time, default: initial, "Length of the window."),
            ]
        }
    }
}
