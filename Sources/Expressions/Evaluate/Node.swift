/// A compiled expression: names are slots and indices, constants are folded. `at` is a byte offset into the source.
indirect enum Node: Sendable {
    case constant(Constant)
    case list([Item])
    case map([Entry])
    case root(Int, at: Int)
    case slot(Int)
    case member(Node, index: Int, at: Int)
    case field(Node, FieldName, at: Int)
    /// `f.name` or `f.value` of a record in a slot, which is what signature recipes are made of.
    case pairPart(slot: Int, isValue: Bool, at: Int)
    case optionalField(Node, FieldName, at: Int)
    case hasField(Node, FieldName, at: Int)
    case index(Node, Node, at: Int)
    case optionalIndex(Node, Node, at: Int)
    case not(Node, at: Int)
    case negate(Node, at: Int)
    case all([Node], at: Int)
    case any([Node], at: Int)
    case conditional(Node, Node, Node, at: Int)
    case equal(Node, Node, isNegated: Bool)
    case compare(Syntax.Operator, Node, Node, at: Int)
    case arithmetic(Syntax.Operator, Node, Node, at: Int)
    case contains(Node, Node, at: Int)
    /// `x in [1, 2]` with constants only: no list is built.
    case containedIn(Node, ConstantList)
    case call(Function.Body, Cost, [Node], at: Int)
    case comprehension(Comprehension)
    /// Evaluates the first into the slot, then the second: `cel.bind`.
    case bind(slot: Int, Node, Node)
    /// `optMap` and `optFlatMap`.
    case mapOptional(slot: Int, Node, Node, flat: Bool, at: Int)
    case matches(Node, Pattern, at: Int)
    /// `a + b + c` that can only be a string or bytes: one buffer for all. The offset of a part is that of the `+` before
    /// it.
    case concatenation([Part])
    /// `list.join(separator)`.
    case joined(Node, separator: Node?, at: Int)
    case transformed(Transform, Cost, Node, at: Int)
    /// Only where somebody looks for what becomes of secrets.
    case followed(Followed)

    struct Item: Sendable {
        var node: Node
        var isOptional: Bool
    }

    struct Part: Sendable {
        var node: Node
        var at: Int
    }

    struct Entry: Sendable {
        var key: Node
        var value: Node
        var isOptional: Bool
        var at: Int
    }

    /// A class, so that looking at a node retains one thing and not two.
    final class FieldName: Sendable {
        let text: String
        let bytes: ArraySlice<UInt8>
        /// Its index, where it is looked up in an object of the host: objects know their members by index.
        let member: Int?

        init(_ text: String, in type: StaticType = .dyn) {
            self.text = text
            bytes = ArraySlice(text.utf8)
            member = if case .object(let object) = type { object.index(of: text) } else { nil }
        }
    }

    /// Its value is put together in a buffer of its own.
    var isBuilt: Bool {
        switch self {
        case .concatenation, .joined, .transformed: true
        default: false
        }
    }

    var constant: Constant? {
        if case .constant(let constant) = self { constant } else { nil }
    }
}
