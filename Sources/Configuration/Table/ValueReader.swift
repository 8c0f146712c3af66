/// How one kind of value is read: its type for the manual, the reading, and how a default is written.
struct ValueReader<Value> {
    let type: ValueType
    /// `nil` after an issue was reported.
    let read: (Cursor) -> Value?
    /// `nil`: no default worth showing.
    let render: (Value) -> String?

    init(_ type: ValueType, render: @escaping (Value) -> String? = { _ in nil }, read: @escaping (Cursor) -> Value?) {
        self.type = type
        self.read = read
        self.render = render
    }

    /// The same reading with another result.
    func map<Other>(_ transform: @escaping (Value) -> Other) -> ValueReader<Other> {
        ValueReader<Other>(type) { cursor in read(cursor).map(transform) }
    }

    /// A further rule: the reading with its place, so that what is found later can be reported there.
    var placed: ValueReader<Placed<Value>> {
        ValueReader<Placed<Value>>(type, render: { render($0.value) }) { cursor in
            read(cursor).map { Placed(value: $0, cursor: cursor) }
        }
    }

    /// A list of these; one item may stand alone.
    var list: ValueReader<[Value]> {
        let items = ValueType.list(type)
        let text = { (values: [Value]) -> String? in
            values.isEmpty ? "[]" : "[" + values.map { render($0) ?? "…" }.joined(separator: ", ") + "]"
        }
        return ValueReader<[Value]>(items, render: text) { cursor in
            guard case .sequence(let nodes) = cursor.node.content else { return read(cursor).map { [$0] } }
            return nodes.enumerated().compactMap { index, node in
                let item = cursor.child(node, index: index)
                guard !node.isNull else {
                    item.report("an empty item")
                    return nil
                }
                return read(item)
            }
        }
    }

    /// A list with at least one item.
    var nonEmptyList: ValueReader<[Value]> {
        let list = list
        return ValueReader<[Value]>(list.type, render: list.render) { cursor in
            if case .sequence(let nodes) = cursor.node.content, nodes.isEmpty {
                cursor.report("at least one is needed")
                return nil
            }
            return list.read(cursor)
        }
    }

    /// A mapping whose keys the user names.
    func named(_ word: String, rule: NameRule = .name) -> ValueReader<[Named<Value>]> {
        ValueReader<[Named<Value>]>(.map(type, name: word), render: { $0.isEmpty ? "{}" : nil }) { cursor in
            guard case .mapping(let entries) = cursor.node.content else {
                cursor.report("expected a mapping \(word): \(type.name), not \(cursor.node.kindName)")
                return nil
            }
            return entries.compactMap { entry in
                let item = cursor.child(entry.value, key: entry.key)
                if let problem = rule.problem(of: entry.key) {
                    cursor.issues.report(problem.text, hint: problem.hint, at: entry.keyPosition, path: item.path)
                }
                return read(item).map { Named(name: entry.key, value: $0, position: entry.keyPosition, cursor: item) }
            }
        }
    }
}
