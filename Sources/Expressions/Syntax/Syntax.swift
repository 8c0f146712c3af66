/// A node of the syntax tree: what was written, before names mean anything.
struct Syntax {
    enum Operator: String {
        case add = "+", subtract = "-", multiply = "*", divide = "/", remainder = "%"
        case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
        case contains = "in"
    }

    struct Element {
        var value: Syntax
        /// `[?x]`: left out when the optional is empty.
        var isOptional: Bool
    }

    struct Entry {
        var key: Syntax
        var value: Syntax
        var isOptional: Bool
    }

    indirect enum Kind {
        case constant(Constant)
        case name(String)
        case select(Syntax, field: String, isOptional: Bool)
        case index(Syntax, Syntax, isOptional: Bool)
        case call(target: Syntax?, name: String, arguments: [Syntax])
        case not(Syntax)
        case negate(Syntax)
        case binary(Operator, Syntax, Syntax)
        /// A whole chain of `&&` or `||`, so that its length does not make the tree deep.
        case all([Syntax])
        case any([Syntax])
        case conditional(Syntax, Syntax, Syntax)
        case list([Element])
        case map([Entry])
    }

    var kind: Kind
    /// Byte offset of what an issue should point at: the operator, the field name, the function name.
    var offset: Int
    /// Height of the tree.
    var depth: Int

    init(_ kind: Kind, at offset: Int, above children: [Syntax] = []) {
        self.kind = kind
        self.offset = offset
        depth = 1 + (children.map(\.depth).max() ?? 0)
    }

    /// `a.b.c` as text, when it is nothing but names.
    var path: String? {
        switch kind {
        case .name(let name): name
        case .select(let operand, let field, false): operand.path.map { "\($0).\(field)" }
        default: nil
        }
    }

    /// `a.b`, `a["b"]`, `a.?b`, `a("b")` as names, when it is nothing else.
    var way: [String]? {
        switch kind {
        case .name(let name): [name]
        case .select(let operand, let field, _): operand.way.map { $0 + [field] }
        case .index(let operand, let key, _): operand.way.flatMap { way in key.text.map { way + [$0] } }
        default: nil
        }
    }

    /// The text of a constant string.
    var text: String? {
        if case .constant(.string(let text)) = kind { String(decoding: text, as: UTF8.self) } else { nil }
    }

    /// First name of a path.
    var root: String? {
        switch kind {
        case .name(let name): name
        case .select(let operand, _, _): operand.root
        default: nil
        }
    }
}
