import HTTPWire

/// The request of a login step as read.
struct RawLoginRequest {
    var method = RequestMethod.post
    var path: Cursor?
    var query: [Named<Cursor>] = []
    var headers: [Named<Cursor>] = []
    var form: Placed<[Named<Cursor>]>?
    var json: Cursor?
    var xml: Cursor?
    var multipart: Placed<[Named<RawPart>]>?
    var body: Cursor?

    static var section: Section<RawLoginRequest> {
        let fields = ValueReader.template.named("NAME", rule: .any)
        return Section(RawLoginRequest()) { initial in
            [
                .key("method", .method, into: \.method, default: initial, "Method."),
                .key(
                    "path", .template, into: \.path, isRequired: true,
                    "Path, after the upstream's base path; may hold a query."),
                .key(
                    "query", fields, into: \.query, default: initial, "Query parameters, encoded and added to the path."
                ),
                .key(
                    "headers", ValueReader.template.named("NAME", rule: .token), into: \.headers, default: initial,
                    "Header fields."),
                .key("form", fields.placed, into: \.form, "Body as a form."),
                .key("json", ValueReader(.json) { $0 }, into: \.json, "Body as JSON; `${...}` alone keeps its type."),
                .key("xml", .template, into: \.xml, "Body as XML; the text of each `${...}` is escaped."),
                .key(
                    "multipart", RawPart.reader.named("NAME", rule: .any).placed, into: \.multipart,
                    "Body as `multipart/form-data`."),
                .key("body", .template, into: \.body, "Body as it is."),
            ]
        }
    }
}
