/// `config/schema.json`: the JSON Schema of the config file, for editors. Made from the table that the reader uses, so it
/// knows every key; rules between keys (references, shadowed routes) are the reader's.
package enum ConfigSchema {
    /// The whole file, with a line break at the end.
    package static var text: String {
        var writer = SchemaWriter(KeyCatalogue.shapes)
        var members: [(key: String, value: JSONTree)] = [
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("title", .string("Countersign configuration")),
        ]
        members += writer.section(KeyCatalogue.shapes)
        members.append(("$defs", writer.definitions))
        return JSONTree.object(members).text() + "\n"
    }
}
