import Domain

/// One envelope as read.
struct RawEnvelope {
    var types: [String] = []
    var unwrap: [UnwrapStep] = []
    var verify: Cursor?
    var open: Cursor?
    var ok: Cursor?
    var code: Cursor?
    var message: Cursor?
    var data: Cursor?
    var render: [Named<Cursor>] = []
    var renderType: String?

    static var section: Section<RawEnvelope> {
        Section(RawEnvelope()) { initial in
            [
                .key(
                    "types", mediaType.list, into: \.types, default: initial,
                    "Media types that are read although they are those of files, such as `application/octet-stream`; `*` is any text."
                ),
                .key(
                    "verify", .expression, into: \.verify, note: "none",
                    "Over the answer as it came, before all else: it is the upstream's own, such as its signature checked. Where not, the answer is 502 `bad_answer`, whatever `to` says."
                ),
                .key(
                    "unwrap", RawUnwrap.reader.list, into: \.unwrap, default: initial,
                    "What is taken off before the answer is read, always in the order of this table."),
                .key(
                    "open", .expression, into: \.open, note: "none",
                    "Over what `unwrap` leaves: the text (or JSON) that is read instead, such as the answer decrypted; `optional.none()` leaves it."
                ),
                .key("ok", .expression, into: \.ok, note: "status in 200..299", "Over the answer: it is a success."),
                .key("code", .expression, into: \.code, note: "null", "The upstream's own code, passed on verbatim."),
                .key("message", .expression, into: \.message, note: "empty", "The upstream's own text."),
                .key("data", .expression, into: \.data, note: "null", "The payload, passed on verbatim."),
                .key(
                    "render", ValueReader.template.named("NAME", rule: .any), into: \.render, default: initial,
                    "How this dialect says something itself; `${...}` alone keeps its type, and an empty optional leaves the field out."
                ),
                .key(
                    "render_type", mediaType, into: \.renderType, note: "application/json; charset=utf-8",
                    "Media type of what `render` makes, such as `application/vnd.api+json`."),
            ]
        }
    }

    private static var mediaType: ValueReader<String> {
        let text = ValueReader.text("a media type")
        return ValueReader(text.type) { cursor in
            guard let type = text.read(cursor) else { return nil }
            guard type.contains("/"), !type.contains(";"), !type.contains(" ") else {
                cursor.report(
                    "\(Quoted.text(type)) is no media type", hint: "like application/octet-stream, without parameters")
                return nil
            }
            return type.lowercased()
        }
    }
}
