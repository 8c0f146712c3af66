/// Checks a syntax tree and turns it into nodes in one walk. Goes on after an issue, so that all are reported.
struct Compiler {
    struct Typed {
        var node: Node
        var type: StaticType
        /// The value, where constants and secrets make it. Never kept in an expression: a secret may be in it.
        var known: Value?
    }

    struct Local {
        var name: String
        var slot: Int
        var type: StaticType
    }

    let scope: Scope
    /// Most of one evaluation, which a trial may take too.
    let steps: Int
    var issues: [ExpressionIssue] = []
    var locals: [Local] = []
    var slotCount = 0
    var references: Set<Reference> = []
    /// Names of functions.
    var called: Set<String> = []
    /// What is compiled is never evaluated, as far as is known: nothing is tried there.
    var isUnreached = false

    init(_ scope: Scope, steps: Int) {
        self.scope = scope
        self.steps = steps
    }

    mutating func report(_ message: String, hint: String? = nil, at offset: Int) -> Typed {
        report(ExpressionIssue(message, hint: hint, at: offset))
    }

    mutating func report(_ issue: ExpressionIssue) -> Typed {
        issues.append(issue)
        // Nothing is evaluated once there is an issue; a constant here would be tried, and be another one.
        return Typed(node: .slot(-1), type: .dyn)
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
            let operand = test(operand)
            let known = known(operand)?.bool.map { Value.bool(!$0) }
            return folded(Typed(node: .not(operand.node, at: at), type: .bool, known: known))
        case .negate(let operand): return negate(operand, at: at)
        case .binary(let kind, let left, let right): return binary(kind, left, right, at: at)
        case .all(let operands):
            let (nodes, known) = logic(operands, stoppedBy: false)
            return Typed(node: .all(nodes, at: at), type: .bool, known: known)
        case .any(let operands):
            let (nodes, known) = logic(operands, stoppedBy: true)
            return Typed(node: .any(nodes, at: at), type: .bool, known: known)
        case .conditional(let test, let first, let second):
            return conditional(test, first, second, at: at)
        case .list(let elements): return list(elements)
        case .map(let entries): return map(entries)
        }
    }

    /// Must be a bool.
    mutating func condition(_ syntax: Syntax) -> Node { test(syntax).node }

    private mutating func test(_ syntax: Syntax) -> Typed {
        let operand = compile(syntax)
        if !operand.type.couldBe(.bool) {
            _ = report("expected a bool, found \(operand.type.name)", at: syntax.offset)
        }
        return operand
    }

    /// A secret may be known to decide: `secret.key.size() == 32 ? f(secret.key) : g(hex.decode(secret.key))`.
    private mutating func conditional(_ test: Syntax, _ first: Syntax, _ second: Syntax, at: Int) -> Typed {
        let test = self.test(test)
        let decided = known(test)?.bool
        let yes = compile(first, isUnreached: decided == false)
        let no = compile(second, isUnreached: decided == true)
        return Typed(
            node: .conditional(test.node, yes.node, no.node, at: at), type: yes.type.joined(with: no.type),
            known: decided.flatMap { known($0 ? yes : no) })
    }

    private mutating func compile(_ syntax: Syntax, isUnreached: Bool) -> Typed {
        let before = self.isUnreached
        defer { self.isUnreached = before }
        self.isUnreached = before || isUnreached
        return compile(syntax)
    }

    /// `&&` (stopped by false) and `||` (by true). One operand that is known to stop it is the value of all: what errs beside
    /// it is absorbed.
    private mutating func logic(_ operands: [Syntax], stoppedBy decisive: Bool) -> (nodes: [Node], known: Value?) {
        let before = isUnreached
        defer { isUnreached = before }
        var value: Bool? = !decisive
        let nodes = operands.map { operand in
            let operand = test(operand)
            let known = known(operand)?.bool
            if known == decisive {
                isUnreached = true
                value = decisive
            } else if known == nil, value != decisive {
                value = nil
            }
            return operand.node
        }
        return (nodes, value.map { .bool($0) })
    }

    /// A constant, a secret, or what is made of them.
    func known(_ typed: Typed) -> Value? {
        if let known = typed.known { return known }
        switch typed.node {
        case .constant(let constant): return constant.value
        case .member(.root(let name, _), let index, _): return scope.known(name, index)
        case .list(let items):
            let elements = items.compactMap(\.node.constant?.value)
            return elements.count == items.count && !items.contains(where: \.isOptional) ? .list(elements) : nil
        default: return nil
        }
    }

    /// What an operator gives of what is known; `node` is it, over two constants.
    func known(_ a: Typed, _ b: Typed, _ node: (Node, Node) -> Node) -> Value? {
        guard let a = known(a).flatMap({ Constant($0) }), let b = known(b).flatMap({ Constant($0) }) else { return nil }
        var evaluator = Evaluator(EmptyContext(), slots: 0, steps: 10_000)
        return try? evaluator.value(of: node(.constant(a), .constant(b)))
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
