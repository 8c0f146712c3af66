/// A mapping with fixed keys: the table that the reader, the manual and the JSON schema share.
struct Section<Model> {
    let initial: () -> Model
    let fields: [Field<Model>]

    init(_ initial: @autoclosure @escaping () -> Model, _ fields: (Model) -> [Field<Model>]) {
        self.initial = initial
        self.fields = fields(initial())
    }

    var reader: ValueReader<Model> {
        ValueReader(.section(fields.map(\.shape))) { read($0) }
    }

    /// Always gives a model when the node is a mapping; what could not be read keeps its default and is an issue.
    func read(_ cursor: Cursor) -> Model? {
        guard case .mapping(let entries) = cursor.node.content else {
            let names = fields.prefix(6).map(\.shape.name).joined(separator: ", ")
            cursor.report("expected a mapping, not \(cursor.node.kindName)", hint: "keys: \(names)")
            return nil
        }
        var model = initial()
        var seen: Set<String> = []
        for entry in entries {
            guard let field = fields.first(where: { $0.shape.name == entry.key }) else {
                unknown(entry, in: cursor)
                continue
            }
            // A key with nothing behind it counts as not written.
            guard !entry.value.isNull else { continue }
            seen.insert(entry.key)
            field.read(cursor.child(entry.value, key: entry.key), &model)
        }
        for field in fields where field.shape.isRequired && !seen.contains(field.shape.name) {
            cursor.report("\(field.shape.name) is missing", hint: "\(field.shape.type.name)")
        }
        return model
    }

    private func unknown(_ entry: YAMLEntry, in cursor: Cursor) {
        cursor.issues.report(
            "unknown key \(Quoted.text(entry.key))",
            hint: Suggestion.hint(for: entry.key, among: fields.map(\.shape.name), what: "keys"),
            at: entry.keyPosition, path: Cursor.path(cursor.path, key: entry.key))
    }
}
