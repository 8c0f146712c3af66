import Bytes
import XMLBytes

extension FunctionTable {
    /// Reading XML, and taking JSON objects apart.
    static let documents: [Function] = [
        Function(
            "xml.decode(string|bytes) -> map",
            summary:
                "An XML text as a map of its root: children by local name, a list where one repeats, attributes as "
                + "`@name`, text beside them as `#text`. No document type, no entities of its own.",
            example: "xml.decode('<a><b x=\"1\">2</b><c/></a>').a == {'b': {'@x': '1', '#text': '2'}, 'c': ''}",
            body: .unary { value throws(EvaluationError) in
                let bytes = Array(try value.requireContents())
                guard let document = try? XMLDocument(parsing: bytes) else { throw .argument("XML") }
                return .xml(document)
            }),
        Function(
            "xml.list(dyn) -> list",
            summary: "An element that may come once, often or never, as a list: pass it as an optional.",
            example: "xml.list('a') == ['a'] && xml.list({'x': ['a', 'b']}.?x) == ['a', 'b'] && xml.list({}.?x) == []",
            body: .unary { value throws(EvaluationError) in list(of: value) }),
        Function(
            "xml.text(dyn) -> string",
            summary: "The text of an element, whether it has attributes or not.",
            example: "xml.text(xml.decode('<a x=\"1\">2</a>').a) == '2' && xml.text('2') == '2'",
            body: .unary { value throws(EvaluationError) in try text(of: value) }),
        Function(
            "xml.escape(string) -> string", summary: "Text for an XML template: `&`, `<`, `>` and `\"` as references.",
            example: "xml.escape('a<b&c') == 'a&lt;b&amp;c'",
            body: .unary { value throws(EvaluationError) in
                let text = try value.requireString()
                var output: [UInt8] = []
                guard XMLText.appendEscaped(text, to: &output) else { throw .argument("XML text") }
                return .text(output)
            }),
        Function(
            "json.omit(map, list) -> map",
            summary:
                "The members of an object without those named, in order; what stays is passed on as it was written.",
            example: "json.omit({'code': 0, 'a': 1, 'b': 2}, ['code', 'x']) == {'a': 1, 'b': 2}",
            body: .binary { object, names throws(EvaluationError) in try omit(names, from: object) }),
    ]

    private static func list(of value: Value) -> Value {
        if case .optional(let inner) = value { return inner.map { list(of: $0) } ?? Value.list([]) }
        if value.isAbsent { return Value.list([]) }
        return value.isList ? value : Value.list([value])
    }

    private static func text(of value: Value) throws(EvaluationError) -> Value {
        if let text = value.string { return Value.string(text) }
        guard value.isMap else { throw .overload(value) }
        return value.lookup(Array("#text".utf8)[...]) ?? Value.text("")
    }

    private static func omit(_ names: Value, from object: Value) throws(EvaluationError) -> Value {
        var omitted: Set<ArraySlice<UInt8>> = []
        for name in try names.requireList() { omitted.insert(try name.requireString()) }
        guard let rest = object.omitting(omitted) else { throw .overload(object) }
        return rest
    }
}
