/// `token` of a session as read: a credential that somebody else gains.
struct RawToken {
    var file: String?
    var command: [String] = []
    var time: UInt64 = 10_000_000_000
    var captures: [Named<Cursor>] = []

    static var section: Section<RawToken> {
        Section(RawToken()) { initial in
            [
                .key(
                    "file", .text("path"), into: \.file,
                    "A file that only its owner can read, relative to the config file; read again when it changes and when its token expires or is refused."
                ),
                .key(
                    "command", ValueReader.text("an argument").list, into: \.command, default: initial,
                    "A program and its arguments (no shell); what it prints is the token. Run again when the token expires or is refused."
                ),
                .key("timeout", .positiveDuration, into: \.time, default: initial, "Longest run of the command."),
                .key(
                    "capture", ValueReader.expression.named("NAME", rule: .identifier), into: \.captures,
                    default: initial,
                    "Values of the text (`text`, `json`), used as `session.NAME`. Without it: JSON with `token` or `access_token` and perhaps `expires_in` or `expires_at`, or plain text, which is `session.token`."
                ),
            ]
        }
    }
}
