/// Operators, and which types they can take.
extension Compiler {
    mutating func negate(_ operand: Syntax, at: Int) -> Typed {
        let value = compile(operand)
        guard value.type.couldBe(.int) || value.type.couldBe(.double) else {
            return report("cannot negate a \(value.type.name)", at: at)
        }
        return folded(Typed(node: .negate(value.node, at: at), type: value.type))
    }

    mutating func binary(_ kind: Syntax.Operator, _ left: Syntax, _ right: Syntax, at: Int) -> Typed {
        if kind == .subtract, let issue = hyphenated(left, right) { return report(issue) }
        let a = compile(left)
        // `"x" in session` asks for a member, as `has(session.x)` does.
        let member = kind == .contains ? left.text : nil
        let b = member.map { operand(right, member: $0) } ?? compile(right)
        if let member { note(right, member) }
        switch kind {
        case .equal, .notEqual:
            guard a.type.isComparable(with: b.type) else {
                return report(
                    "a \(a.type.name) never equals a \(b.type.name)", hint: conversion(a.type, b.type), at: at)
            }
            return folded(
                Typed(
                    node: .equal(a.node, b.node, isNegated: kind == .notEqual), type: .bool,
                    known: known(a, b) { .equal($0, $1, isNegated: kind == .notEqual) }))
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard isOrdered(a.type, b.type) else {
                return report(
                    "`\(kind.rawValue)` cannot compare \(a.type.name) with \(b.type.name)",
                    hint: conversion(a.type, b.type), at: at)
            }
            return folded(
                Typed(
                    node: .compare(kind, a.node, b.node, at: at), type: .bool,
                    known: known(a, b) { .compare(kind, $0, $1, at: at) }))
        case .contains:
            if case .object(let object) = b.type {
                guard let member else { return unnamed(object, at: at) }
                return presence(b, member, at: at)
            }
            return contains(a, b, at: at)
        case .add, .subtract, .multiply, .divide, .remainder:
            guard let type = arithmetic(kind, a.type, b.type) else {
                return report(
                    "`\(kind.rawValue)` does not take \(a.type.name) and \(b.type.name)",
                    hint: conversion(a.type, b.type), at: at)
            }
            let isConstant = a.node.constant != nil && b.node.constant != nil
            let known = known(a, b) { .arithmetic(kind, $0, $1, at: at) }
            if kind == .add, type == .string || type == .bytes, !isConstant {
                var parts = [Node.Part(node: a.node, at: at)]
                if case .concatenation(let left) = a.node { parts = left }
                return Typed(node: .concatenation(parts + [Node.Part(node: b.node, at: at)]), type: type, known: known)
            }
            return folded(Typed(node: .arithmetic(kind, a.node, b.node, at: at), type: type, known: known))
        }
    }

    /// `headers.x-auth-token`, which to the parser is a field less two names: an issue when one of the names is unknown.
    private func hyphenated(_ left: Syntax, _ right: Syntax) -> ExpressionIssue? {
        var (rest, head) = ([right], left)
        while case .binary(.subtract, let first, let second) = head.kind {
            rest.insert(second, at: 0)
            head = first
        }
        if case .binary(.add, _, let last) = head.kind { head = last }
        guard case .select(let base, let field, _) = head.kind, let path = base.path else { return nil }
        var (name, unknown): (String, (name: String, at: Int)?) = (field, nil)
        for part in rest {
            guard case .name(let word) = part.kind else { return nil }
            name += "-" + word
            if unknown == nil, !isLocal(word), scope.index(of: word) == nil { unknown = (word, part.offset) }
        }
        return unknown.map {
            ExpressionIssue("unknown name `\($0.name)`", hint: "write `\(path)[\"\(name)\"]`", at: $0.at)
        }
    }

    private func isOrdered(_ a: StaticType, _ b: StaticType) -> Bool {
        let ordered: [StaticType] = [.bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration]
        if a == .dyn { return b == .dyn || ordered.contains(b) }
        return ordered.contains(a) && (b == .dyn || a == b || (a.isNumeric && b.isNumeric))
    }

    /// What to write when a text meets a number, the commonest mistake.
    private func conversion(_ a: StaticType, _ b: StaticType) -> String? {
        switch (a, b) {
        case (.string, .int), (.string, .uint), (.string, .double), (.int, .string), (.uint, .string),
            (.double, .string):
            "convert one of them: `string(x)` or `int(x)`"
        case (.string, .bytes), (.bytes, .string): "convert: `bytes(x)`, `hex.encode(x)` or `base64.encode(x)`"
        case (.timestamp, .int), (.int, .timestamp): "`int(x)` of a timestamp is its Unix seconds"
        case (.int, .double), (.double, .int), (.uint, .int), (.int, .uint), (.uint, .double), (.double, .uint):
            "convert one of them: `int(x)`, `uint(x)` or `double(x)`"
        case (.optional, _), (_, .optional): "take the value out: `x.orValue(...)`"
        default: nil
        }
    }

    /// Type of the result; `nil` when no such operation can exist.
    private func arithmetic(_ kind: Syntax.Operator, _ a: StaticType, _ b: StaticType) -> StaticType? {
        let numbers: [StaticType] = kind == .remainder ? [.int, .uint] : [.int, .uint, .double]
        var found: [StaticType] = numbers.filter { a.couldBe($0) && b.couldBe($0) }
        if kind == .add {
            found += [StaticType.string, .bytes, .duration].filter { a.couldBe($0) && b.couldBe($0) }
            if a.couldBe(.list(.dyn)), b.couldBe(.list(.dyn)) {
                found.append(.list(a.element.joined(with: b.element)))
            }
            if a.couldBe(.timestamp), b.couldBe(.duration) { found.append(.timestamp) }
            if a.couldBe(.duration), b.couldBe(.timestamp) { found.append(.timestamp) }
        }
        if kind == .subtract {
            if a.couldBe(.timestamp), b.couldBe(.duration) { found.append(.timestamp) }
            if a.couldBe(.timestamp), b.couldBe(.timestamp) { found.append(.duration) }
            if a.couldBe(.duration), b.couldBe(.duration) { found.append(.duration) }
        }
        guard let first = found.first else { return nil }
        return found.dropFirst().reduce(first) { $0.joined(with: $1) }
    }

    private mutating func contains(_ a: Typed, _ b: Typed, at: Int) -> Typed {
        switch b.type {
        case .list(let element) where !a.type.isComparable(with: element):
            return report(
                "a \(a.type.name) is never in a list of \(element.name)", hint: conversion(a.type, element), at: at)
        case .pairs where !a.type.couldBe(.string) && !a.type.couldBe(.map(.dyn)):
            return report("names are strings, not \(a.type.name)", at: at)
        case .dyn, .list, .map, .pairs, .pair: break
        default:
            return report("`in` needs a list or a map, found \(b.type.name)", at: at)
        }
        if case .list(let items) = b.node, items.allSatisfy({ $0.node.constant != nil && !$0.isOptional }) {
            return Typed(node: .containedIn(a.node, ConstantList(items.compactMap(\.node.constant))), type: .bool)
        }
        return Typed(node: .contains(a.node, b.node, at: at), type: .bool)
    }
}
