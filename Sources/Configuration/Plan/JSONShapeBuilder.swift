import Domain
import Expressions

/// A JSON body in YAML: texts are templates, plain numbers, booleans and null are themselves.
struct JSONShapeBuilder {
    let compiler: ExpressionCompiler
    let scope: Scope

    /// Depth is bounded by the document's.
    func shape(_ cursor: Cursor) -> LoginStep.JSONShape {
        switch cursor.node.content {
        case .scalar(let scalar):
            if scalar.style == .plain, let literal = JSONShapeBuilder.literal(scalar) { return .literal(literal) }
            guard let template = compiler.template(cursor, in: scope) else { return .literal(Array("null".utf8)) }
            return .value(template)
        case .sequence(let nodes):
            return .array(nodes.enumerated().map { shape(cursor.child($1, index: $0)) })
        case .mapping(let entries):
            return .object(
                entries.map {
                    LoginStep.JSONMember(key: Array($0.key.utf8), value: shape(cursor.child($0.value, key: $0.key)))
                })
        }
    }

    private static func literal(_ scalar: YAMLScalar) -> [UInt8]? {
        if scalar.isNull { return Array("null".utf8) }
        let text = scalar.text
        if text == "true" || text == "false" || isNumber(Array(text.utf8)) { return Array(text.utf8) }
        return nil
    }

    /// RFC 8259 6.
    private static func isNumber(_ bytes: [UInt8]) -> Bool {
        var index = 0
        func digits() -> Int {
            let start = index
            while index < bytes.count, bytes[index] &- 0x30 < 10 { index += 1 }
            return index - start
        }
        if bytes.first == 0x2D { index += 1 }
        let first = index
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[first] != 0x30 else { return false }
        if index < bytes.count, bytes[index] == 0x2E {
            index += 1
            guard digits() > 0 else { return false }
        }
        if index < bytes.count, bytes[index] | 0x20 == 0x65 {
            index += 1
            if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D { index += 1 }
            guard digits() > 0 else { return false }
        }
        return index == bytes.count
    }
}
