/// `config/schema.json`: the JSON Schema of the config file, for editors. Made from the table that the reader uses, so it
/// knows every key; rules between keys (references, shadowed routes) are the reader's.
package enum ConfigSchema {
    /// The whole file, with a line break at the end.
    package static var text: String {
        var members: [(key: String, value: JSONTree)] = [
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("title", .string("Countersign configuration")),
        ]
        members += section(KeyCatalogue.shapes)
        return JSONTree.object(members).text() + "\n"
    }

    private static func section(_ shapes: [KeyShape]) -> [(key: String, value: JSONTree)] {
        let properties = shapes.map { shape -> (key: String, value: JSONTree) in
            var members: [(key: String, value: JSONTree)] = [("description", .string(shape.doc))]
            if let text = shape.defaultText { members.append(("default", .string(text))) }
            members += rules(shape.type, isNullable: !shape.isRequired)
            return (shape.name, .object(members))
        }
        var members: [(key: String, value: JSONTree)] = [
            ("type", .string("object")), ("additionalProperties", .token("false")),
        ]
        let required = shapes.filter(\.isRequired).map { JSONTree.string($0.name) }
        if !required.isEmpty { members.append(("required", .array(required))) }
        members.append(("properties", .object(properties)))
        return members
    }

    /// A key with nothing behind it counts as not written: null is fine wherever a key may be left out.
    private static func rules(_ type: ValueType, isNullable: Bool = false) -> [(key: String, value: JSONTree)] {
        if isNullable {
            return [("anyOf", .array([.object(rules(type)), .object([("type", .string("null"))])]))]
        }
        switch type {
        case .flag: return [("type", .string("boolean"))]
        case .duration: return scalar(["string", "integer"], pattern: "^(0|([0-9]+(\\.[0-9]{1,3})?(ms|s|m|h|d))+)$")
        case .size: return scalar(["string", "integer"], pattern: "^[0-9]+(\\.[0-9]{1,3})?(B|KiB|MiB|GiB)?$")
        case .integer(let range):
            let ends: [(key: String, value: JSONTree)] = [
                ("minimum", .token(String(range.lowerBound))), ("maximum", .token(String(range.upperBound))),
            ]
            return [("type", .string("integer"))] + ends
        case .text: return scalar(["string", "number", "boolean"], pattern: nil)
        case .choice(let words):
            // A word like 1 may be written with or without quotes.
            let numbers = words.filter { Int($0) != nil }.map { JSONTree.token($0) }
            return [("enum", .array(words.map { .string($0) } + numbers))]
        case .expression, .template: return scalar(["string", "number", "boolean"], pattern: nil)
        case .list(let item):
            let list = JSONTree.object([("type", .string("array")), ("items", .object(rules(item)))])
            return [("anyOf", .array([.object(rules(item)), list]))]
        case .map(let item, _):
            return [("type", .string("object")), ("additionalProperties", .object(rules(item)))]
        case .section(let shapes): return section(shapes)
        case .either(let first, let second):
            return [("anyOf", .array([.object(rules(first)), .object(rules(second))]))]
        case .json: return []
        }
    }

    private static func scalar(_ types: [String], pattern: String?) -> [(key: String, value: JSONTree)] {
        let type: (key: String, value: JSONTree) = ("type", .array(types.map { .string($0) }))
        return pattern.map { [type, ("pattern", .string($0))] } ?? [type]
    }
}
