/// `poll` of a login step as read.
struct RawPoll {
    var pending: Cursor?
    var slower: Cursor?
    var every: Cursor?
    var longest: Cursor?

    static var section: Section<RawPoll> {
        Section(RawPoll()) { _ in
            [
                .key("pending", .expression, into: \.pending, isRequired: true, "Over the answer: not yet."),
                .key(
                    "slower", .expression, into: \.slower, note: "false",
                    "Over the answer: not yet, and ask 5 s less often from now on."),
                .key("every", .expression, into: \.every, note: "5", "Seconds between two tries."),
                .key("for", .expression, into: \.longest, note: "900", "Seconds until the login is given up."),
            ]
        }
    }
}
