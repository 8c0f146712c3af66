/// Every key of the config file, from the table that the reader uses.
package enum KeyCatalogue {
    /// In the order of the table; a section comes before its keys.
    package static var rows: [KeyRow] {
        var rows: [KeyRow] = []
        append(shapes, under: "", to: &rows)
        return rows
    }

    static var shapes: [KeyShape] { RawConfig.section.fields.map(\.shape) }

    private static func append(_ shapes: [KeyShape], under parent: String, to rows: inout [KeyRow]) {
        for shape in shapes {
            let path = parent.isEmpty ? shape.name : parent + "." + shape.name
            rows.append(
                KeyRow(
                    path: path, type: shape.type.name, isRequired: shape.isRequired, defaultText: shape.defaultText,
                    doc: shape.doc))
            append(shape.type, at: path, to: &rows)
        }
    }

    private static func append(_ type: ValueType, at path: String, to rows: inout [KeyRow]) {
        switch type {
        case .section(let shapes): append(shapes, under: path, to: &rows)
        case .list(let item): append(item, at: path + "[]", to: &rows)
        case .map(let item, let name): append(item, at: path + "." + name, to: &rows)
        case .either(let first, let second):
            append(first, at: path, to: &rows)
            append(second, at: path, to: &rows)
        case .flag, .duration, .size, .integer, .text, .choice, .expression, .template, .json: break
        }
    }
}
