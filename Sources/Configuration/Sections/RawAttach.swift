/// `attach`: fields by place.
struct RawAttach {
    var header: [Named<Cursor>] = []
    var query: [Named<Cursor>] = []
    var form: [Named<Cursor>] = []
    var json: [Named<Cursor>] = []
    var xml: [Named<Cursor>] = []
    var cookie: [Named<Cursor>] = []
    var body: Cursor?

    var isEmpty: Bool {
        [header, query, form, json, xml, cookie].allSatisfy(\.isEmpty) && body == nil
    }

    static var section: Section<RawAttach> {
        let names = ValueReader.template.named("NAME", rule: .any)
        let tokens = ValueReader.template.named("NAME", rule: .token)
        return Section(RawAttach()) { initial in
            [
                .key("header", tokens, into: \.header, default: initial, "Header fields."),
                .key("query", names, into: \.query, default: initial, "Query parameters."),
                .key(
                    "form", names, into: \.form, default: initial,
                    "Fields of a form body, or parts of a multipart body."),
                .key(
                    "json", names, into: \.json, default: initial,
                    "Members of a JSON object body; `/head/token` is one inside an object, by JSON pointer, `/params/0` an element of a list that the client sent."
                ),
                .key("xml", tokens, into: \.xml, default: initial, "Elements inside the root of an XML body."),
                .key(
                    "body", .template, into: \.body, note: "the client's",
                    "The whole body anew; give its `Content-Type` as a header."),
                .key("cookie", tokens, into: \.cookie, default: initial, "Cookies."),
            ]
        }
    }
}
