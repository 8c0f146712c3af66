import Domain
import HTTPWire

/// `request` of a route as read.
struct RawShape {
    var plan = ShapePlan()
    var method: RequestMethod?
    var root: Placed<String>?
    var transforms: [Named<Cursor>] = []

    static var section: Section<RawShape> {
        Section(RawShape()) { initial in
            [
                .key(
                    "from", choice(ShapePlan.Source.allCases), into: \.plan.source, default: initial,
                    "What the client sends: by its content type, or always this; `query` takes its query."),
                .key(
                    "to", choice(ShapePlan.Target.allCases), into: \.plan.target, default: initial,
                    "What the upstream gets: the same fields as a form, JSON, multipart parts, query or XML."),
                .key(
                    "nested", choice(ShapePlan.Nesting.allCases), into: \.plan.nesting, default: initial,
                    "Names of values within values: `a[b]`, `a.b`, or the value as JSON text."),
                .key(
                    "root", ValueReader.text("name of an element").placed, into: \.root, note: "xml",
                    "Root element of an XML body; that of the client's where it sends XML."),
                .key(
                    "query", .choice(queries) { value in queries.first { $0.value == value }?.word },
                    into: \.plan.dropsQuery, default: initial,
                    "`drop`: the client's query ends here, once the rewrite has read it. Only what `rewrite`, `attach` and signatures say goes on."
                ),
                .key("method", .method, into: \.method, note: "the client's", "Method of the request upstream."),
                .key(
                    "transform", ValueReader.template.named("NAME", rule: .any), into: \.transforms, default: initial,
                    "New values of fields, where they come; `value` is the old one. A top-level name, or a JSON pointer such as `/user/password` or `/items/*/price`."
                ),
            ]
        }
    }

    private static let queries: [(word: String, value: Bool)] = [("keep", false), ("drop", true)]

    private static func choice<Word: RawRepresentable<String>>(_ words: [Word]) -> ValueReader<Word> {
        .choice(words.map { ($0.rawValue, $0) }) { $0.rawValue }
    }
}
