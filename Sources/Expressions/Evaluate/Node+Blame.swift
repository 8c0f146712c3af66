/// Where an error comes from: what the failing call was given.
extension Node {
    /// Indices of the root names below the innermost node with a place of its own there; `nil` when there is none. A local
    /// variable from outside of it counts as a negative one.
    func roots(at offset: Int) -> Set<Int>? {
        for child in children {
            if let found = child.roots(at: offset) { return found }
        }
        guard place == offset else { return nil }
        return roots
    }

    private var roots: Set<Int> {
        switch self {
        case .root(let index, _): [index]
        case .slot(let slot), .pairPart(let slot, _, _): [Node.local(slot)]
        // What is iterated over decides about the variables.
        case .comprehension(let comprehension):
            parts.subtracting(
                [comprehension.slot, comprehension.valueSlot, comprehension.result?.slot].compactMap { $0 }.map(
                    Node.local))
        case .bind(let slot, _, _), .mapOptional(let slot, _, _, _, _): parts.subtracting([Node.local(slot)])
        default: parts
        }
    }

    private var parts: Set<Int> { children.reduce(into: []) { $0.formUnion($1.roots) } }

    private static func local(_ slot: Int) -> Int { -1 - slot }

    private var place: Int? {
        switch self {
        case .call(_, _, _, let at), .transformed(_, _, _, let at), .joined(_, _, let at), .index(_, _, let at),
            .arithmetic(_, _, _, let at), .compare(_, _, _, let at):
            at
        default: nil
        }
    }

    private var children: [Node] {
        switch self {
        case .list(let items): items.map(\.node)
        case .map(let entries): entries.flatMap { [$0.key, $0.value] }
        case .member(let node, _, _), .field(let node, _, _), .optionalField(let node, _, _), .hasField(let node, _, _),
            .not(let node, _), .negate(let node, _), .matches(let node, _, _), .containedIn(let node, _),
            .transformed(_, _, let node, _):
            [node]
        case .index(let a, let b, _), .optionalIndex(let a, let b, _), .equal(let a, let b, _),
            .compare(_, let a, let b, _), .arithmetic(_, let a, let b, _), .contains(let a, let b, _),
            .bind(_, let a, let b), .mapOptional(_, let a, let b, _, _):
            [a, b]
        case .all(let nodes, _), .any(let nodes, _), .call(_, _, let nodes, _): nodes
        case .conditional(let a, let b, let c, _): [a, b, c]
        case .concatenation(let parts): parts.map(\.node)
        case .joined(let list, let separator, _): [list] + (separator.map { [$0] } ?? [])
        case .comprehension(let comprehension):
            [comprehension.range, comprehension.body]
                + [comprehension.filter, comprehension.result?.first].compactMap { $0 }
        case .followed(let followed): [followed.plain]
        default: []
        }
    }
}

extension Expression {
    /// Names of the scope that the call at the place of an error was given; `nil`: it is not known which call that was.
    /// Empty: nothing but constants.
    package func names(behind error: EvaluationError) -> Set<String>? {
        guard error.offset >= 0, let roots = node.roots(at: error.offset) else { return nil }
        let known = references.map(\.name)
        guard roots.allSatisfy({ rootNames.indices.contains($0) }) else { return Set(known) }
        return Set(roots.map { rootNames[$0] })
    }
}

extension Template {
    /// As `Expression.names(behind:)`, of the expression that failed.
    package func names(behind error: EvaluationError) -> Set<String>? {
        for expression in expressions {
            if let names = expression.names(behind: error) { return names }
        }
        return nil
    }
}
