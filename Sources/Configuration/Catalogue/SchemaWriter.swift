/// Writes the schema of sections. One that stands in several places (a login step, what is attached) is written once, among
/// the definitions, under the name of the first key that takes it.
struct SchemaWriter {
    private struct Definition {
        var name: String
        var body: JSONTree
    }

    private var found: [Definition] = []
    /// How often a section is met, and its name among the definitions; by its text with everything in it.
    private var uses: [String: Int] = [:]
    private var names: [String: String] = [:]

    init(_ shapes: [KeyShape]) { count(shapes) }

    /// The definitions that the sections written so far refer to.
    var definitions: JSONTree { .object(found.map { ($0.name, $0.body) }) }

    private mutating func count(_ shapes: [KeyShape]) {
        for shape in shapes { count(shape.type) }
    }

    private mutating func count(_ type: ValueType) {
        switch type {
        case .section(let shapes):
            let text = SchemaWriter.text(shapes)
            uses[text, default: 0] += 1
            // What is in a definition is there once, however often the definition is used.
            if uses[text] == 1 { count(shapes) }
        case .map(let item, _): count(item)
        case .list(let item):
            // Written alone and as what a list holds.
            count(item)
            count(item)
        case .either(let first, let second):
            count(first)
            count(second)
        case .flag, .duration, .size, .integer, .text, .choice, .expression, .template, .json: break
        }
    }

    /// The whole section without definitions: what it is told apart by.
    private static func text(_ shapes: [KeyShape]) -> String {
        var writer = SchemaWriter([])
        return JSONTree.object(writer.section(shapes)).text()
    }

    mutating func section(_ shapes: [KeyShape]) -> [(key: String, value: JSONTree)] {
        var properties: [(key: String, value: JSONTree)] = []
        for shape in shapes {
            var members: [(key: String, value: JSONTree)] = [("description", .string(shape.doc))]
            if let text = shape.defaultText { members.append(("default", .string(text))) }
            members += shape.isRequired ? rules(shape.type, key: shape.name) : nullable(shape.type, key: shape.name)
            properties.append((shape.name, .object(members)))
        }
        var members: [(key: String, value: JSONTree)] = [
            ("type", .string("object")), ("additionalProperties", .token("false")),
        ]
        let required = shapes.filter(\.isRequired).map { JSONTree.string($0.name) }
        if !required.isEmpty { members.append(("required", .array(required))) }
        members.append(("properties", .object(properties)))
        return members
    }

    private mutating func definition(_ shapes: [KeyShape], key: String) -> [(key: String, value: JSONTree)] {
        let text = SchemaWriter.text(shapes)
        guard uses[text, default: 0] > 1 else { return section(shapes) }
        if names[text] == nil {
            let taken = found.count { $0.name == key || $0.name.hasPrefix(key + "-") }
            let name = taken == 0 ? key : "\(key)-\(taken + 1)"
            names[text] = name
            let index = found.count
            found.append(Definition(name: name, body: .object([])))
            found[index].body = .object(section(shapes))
        }
        return [("$ref", .string("#/$defs/\(names[text] ?? key)"))]
    }

    /// A key with nothing behind it counts as not written: null is fine wherever a key may be left out.
    private mutating func nullable(_ type: ValueType, key: String) -> [(key: String, value: JSONTree)] {
        let rules = rules(type, key: key)
        let null = JSONTree.string("null")
        guard let first = rules.first else { return rules }
        // What has a list to put it into takes no more room.
        if case .array(let items) = first.value {
            let absent: JSONTree =
                switch first.key {
                case "anyOf": .object([("type", null)])
                case "enum": .token("null")
                default: null
                }
            return [(first.key, .array(items + [absent]))] + rules.dropFirst()
        }
        return [("anyOf", .array([.object(rules), .object([("type", null)])]))]
    }

    private mutating func rules(_ type: ValueType, key: String) -> [(key: String, value: JSONTree)] {
        switch type {
        case .flag: return [("type", .string("boolean"))]
        case .duration: return scalar(["string", "integer"], pattern: "^(0|([0-9]+(\\.[0-9]{1,3})?(ms|s|m|h|d))+)$")
        case .size: return scalar(["string", "integer"], pattern: "^[0-9]+(\\.[0-9]{1,3})?(B|KiB|MiB|GiB)?$")
        case .integer(let range):
            let ends: [(key: String, value: JSONTree)] = [
                ("minimum", .token(String(range.lowerBound))), ("maximum", .token(String(range.upperBound))),
            ]
            return [("type", .string("integer"))] + ends
        case .text, .expression, .template: return scalar(["string", "number", "boolean"], pattern: nil)
        case .choice(let words):
            // A word like 1 may be written with or without quotes.
            let numbers = words.filter { Int($0) != nil }.map { JSONTree.token($0) }
            return [("enum", .array(words.map { .string($0) } + numbers))]
        case .list(let item):
            let rules = JSONTree.object(rules(item, key: key))
            return [("anyOf", .array([rules, .object([("type", .string("array")), ("items", rules)])]))]
        case .map(let item, _):
            return [("type", .string("object")), ("additionalProperties", .object(rules(item, key: key)))]
        case .section(let shapes): return definition(shapes, key: key)
        case .either(let first, let second):
            return [("anyOf", .array([.object(rules(first, key: key)), .object(rules(second, key: key))]))]
        case .json: return []
        }
    }

    private func scalar(_ types: [String], pattern: String?) -> [(key: String, value: JSONTree)] {
        let type: (key: String, value: JSONTree) = ("type", .array(types.map { .string($0) }))
        return pattern.map { [type, ("pattern", .string($0))] } ?? [type]
    }
}
