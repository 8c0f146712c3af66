/// One key of a section: its row in the table and how it gets into the model. The default is the model's own, so it is
/// written once.
struct Field<Model> {
    let shape: KeyShape
    let read: (Cursor, inout Model) -> Void

    /// A key with a default.
    static func key<Value>(
        _ name: String, _ reader: ValueReader<Value>, into path: WritableKeyPath<Model, Value>, default initial: Model,
        _ doc: String
    ) -> Field {
        let text = reader.render(initial[keyPath: path])
        let shape = KeyShape(name: name, type: reader.type, isRequired: false, defaultText: text, doc: doc)
        return Field(shape: shape) { cursor, model in
            if let value = reader.read(cursor) { model[keyPath: path] = value }
        }
    }

    /// A key that may be left out; `note` says in the manual what then holds.
    static func key<Value>(
        _ name: String, _ reader: ValueReader<Value>, into path: WritableKeyPath<Model, Value?>,
        isRequired: Bool = false, note: String? = nil, _ doc: String
    ) -> Field {
        let shape = KeyShape(name: name, type: reader.type, isRequired: isRequired, defaultText: note, doc: doc)
        return Field(shape: shape) { cursor, model in
            if let value = reader.read(cursor) { model[keyPath: path] = value }
        }
    }
}
