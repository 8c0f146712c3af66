/// Checks a syntax tree and turns it into nodes in one walk. Goes on after an issue, so that all are reported.
struct Compiler {
    struct Typed {
        var node: Node
        var type: StaticType
    }

    struct Local {
        var name: String
        var slot: Int
        var type: StaticType
    }

    let scope: Scope
    var issues: [ExpressionIssue] = []
    var locals: [Local] = []
    var slotCount = 0
    var references: Set<Reference> = []
    /// Names of functions.
    var called: Set<String> = []

    init(_ scope: Scope) { self.scope = scope }

    mutating func report(_ message: String, hint: String? = nil, at offset: Int) -> Typed {
        issues.append(ExpressionIssue(message, hint: hint, at: offset))
        return Typed(node: .constant(.null), type: .dyn)
    }

    mutating func compile(_ syntax: Syntax) -> Typed { followed(typed(syntax)) }

    private mutating func typed(_ syntax: Syntax) -> Typed {
        let at = syntax.offset
        switch syntax.kind {
        case .constant(let constant): return Typed(node: .constant(constant), type: constant.staticType)
        case .name(let name): return self.name(name, member: nil, at: at)
        case .select(let operand, let field, let isOptional):
            return select(operand, field, isOptional: isOptional, at: at)
        case .index(let operand, let key, let isOptional): return index(operand, key, isOptional: isOptional, at: at)
        case .call(let target, let name, let arguments): return call(target, name, arguments, at: at)
        case .not(let operand):
            return folded(Typed(node: .not(condition(operand), at: at), type: .bool))
        case .negate(let operand): return negate(operand, at: at)
        case .binary(let kind, let left, let right): return binary(kind, left, right, at: at)
        case .all(let operands):
            return Typed(node: .all(operands.map { condition($0) }, at: at), type: .bool)
        case .any(let operands):
            return Typed(node: .any(operands.map { condition($0) }, at: at), type: .bool)
        case .conditional(let test, let first, let second):
            let (test, first, second) = (condition(test), compile(first), compile(second))
            return Typed(
                node: .conditional(test, first.node, second.node, at: at), type: first.type.joined(with: second.type))
        case .list(let elements): return list(elements)
        case .map(let entries): return map(entries)
        }
    }

    /// Must be a bool.
    mutating func condition(_ syntax: Syntax) -> Node {
        let operand = compile(syntax)
        if !operand.type.couldBe(.bool) {
            _ = report("expected a bool, found \(operand.type.name)", at: syntax.offset)
        }
        return operand.node
    }

    private mutating func list(_ elements: [Syntax.Element]) -> Typed {
        var (items, type): ([Node.Item], StaticType?) = ([], nil)
        for element in elements {
            let value = compile(element.value)
            var elementType = value.type
            if element.isOptional {
                if case .optional(let wrapped) = value.type { elementType = wrapped } else { elementType = .dyn }
                if !value.type.couldBe(.optional(.dyn)) {
                    _ = report("`?` needs an optional, found \(value.type.name)", at: element.value.offset)
                }
            }
            items.append(Node.Item(node: value.node, isOptional: element.isOptional))
            type = type?.joined(with: elementType) ?? elementType
        }
        return Typed(node: .list(items), type: .list(type ?? .dyn))
    }

    private mutating func map(_ entries: [Syntax.Entry]) -> Typed {
        var (compiled, type): ([Node.Entry], StaticType?) = ([], nil)
        for entry in entries {
            let (key, value) = (compile(entry.key), compile(entry.value))
            let allowed: [StaticType] = [.string, .int, .uint, .bool]
            if !allowed.contains(where: { key.type.couldBe($0) }) {
                _ = report("a map key cannot be a \(key.type.name)", at: entry.key.offset)
            }
            if entry.isOptional, !value.type.couldBe(.optional(.dyn)) {
                _ = report("`?` needs an optional, found \(value.type.name)", at: entry.value.offset)
            }
            compiled.append(
                Node.Entry(key: key.node, value: value.node, isOptional: entry.isOptional, at: entry.key.offset))
            let valueType = entry.isOptional ? .dyn : value.type
            type = type?.joined(with: valueType) ?? valueType
        }
        return Typed(node: .map(compiled), type: .map(type ?? .dyn))
    }

    /// Computes now what depends on constants only. What errs is left for run time, where it may never be reached.
    func folded(_ typed: Typed) -> Typed {
        guard isFoldable(typed.node) else { return typed }
        var evaluator = Evaluator(EmptyContext(), slots: 0, steps: 10_000)
        guard let value = try? evaluator.value(of: typed.node), !isJSON(value), let constant = Constant(value) else {
            return typed
        }
        // `dyn(x)` asks for an unknown type: keep it unknown.
        return Typed(node: .constant(constant), type: typed.type == .dyn ? .dyn : constant.staticType)
    }

    /// A JSON number has a token, which a constant would lose.
    private func isJSON(_ value: Value) -> Bool {
        if case .json = value { true } else { false }
    }

    private func isFoldable(_ node: Node) -> Bool {
        switch node {
        case .constant: true
        case .not(let operand, _), .negate(let operand, _): operand.constant != nil
        case .equal(let a, let b, _), .compare(_, let a, let b, _), .arithmetic(_, let a, let b, _):
            a.constant != nil && b.constant != nil
        case .call(_, _, let arguments, _): arguments.allSatisfy { isKnown($0) }
        case .transformed(_, _, let operand, _): operand.constant != nil
        case .joined(let list, let separator, _):
            isConstantList(list) && (separator == nil || separator?.constant != nil)
        default: false
        }
    }

    /// Nothing in it has to be evaluated.
    func isKnown(_ node: Node) -> Bool { node.constant != nil || isConstantList(node) }

    private func isConstantList(_ node: Node) -> Bool {
        if case .list(let items) = node { items.allSatisfy { $0.node.constant != nil } } else { false }
    }
}
