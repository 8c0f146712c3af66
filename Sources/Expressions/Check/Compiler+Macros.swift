/// Calls that bind names: the variable is a slot, known to the body only.
extension Compiler {
    /// `nil` when the call does not have the shape of a macro (`x.map(1)` is then an unknown function).
    mutating func comprehension(
        _ target: Syntax, _ name: String, _ arguments: [Syntax], at: Int
    ) -> Typed? {
        if name == "optMap" || name == "optFlatMap" {
            return arguments.count == 2
                ? mapOptional(target, arguments, flat: name == "optFlatMap", at: at)
                : report("`\(name)` takes a name and an expression", at: at)
        }
        guard let shape = shape(name, arguments.count) else {
            return report("`\(name)` does not take \(arguments.count) arguments", hint: usage(of: name), at: at)
        }
        let range = compile(target)
        let names = arguments.prefix(shape.variables).compactMap { variable($0) }
        guard names.count == shape.variables else { return Typed(node: .constant(.null), type: .dyn) }
        let iterable: [StaticType] = [.list(.dyn), .map(.dyn)]
        guard iterable.contains(where: { range.type.couldBe($0) }) else {
            return report("`\(name)` needs a list or a map, found \(range.type.name)", at: at)
        }
        if shape.kind == .reduce { return reduce(range, arguments, at: at) }
        let (first, second) = variableTypes(in: range.type, count: shape.variables)
        let depth = locals.count
        let slot = declare(names[0], first)
        let valueSlot = shape.variables == 2 ? declare(names[1], second) : nil
        let filter = shape.hasFilter ? condition(arguments[shape.variables]) : nil
        let body = compile(arguments[arguments.count - 1])
        locals.removeSubrange(depth...)
        return build(
            shape.kind, name, range, slot, valueSlot, filter, body, element: first,
            bodyOffset: arguments[arguments.count - 1].offset, at: at)
    }

    private func shape(
        _ name: String, _ count: Int
    ) -> (kind: Comprehension.Kind, variables: Int, hasFilter: Bool)? {
        switch (name, count) {
        case ("all", 2), ("all", 3): (.all, count - 1, false)
        case ("exists", 2), ("exists", 3): (.exists, count - 1, false)
        case ("exists_one", 2), ("existsOne", 2), ("exists_one", 3), ("existsOne", 3): (.existsOne, count - 1, false)
        case ("filter", 2): (.filter, 1, false)
        case ("map", 2): (.map, 1, false)
        case ("map", 3): (.map, 1, true)
        case ("sortBy", 2): (.sortBy, 1, false)
        case ("transformList", 3), ("transformList", 4): (.map, 2, count == 4)
        case ("transformMap", 3), ("transformMap", 4): (.transformMap, 2, count == 4)
        case ("transformMapEntry", 3), ("transformMapEntry", 4): (.transformMapEntry, 2, count == 4)
        // Its names are not at the place where the others have theirs.
        case ("reduce", 4), ("reduce", 5): (.reduce, 0, false)
        default: nil
        }
    }

    /// `[1, 2].reduce(sum, x, sum + x, 0)`: the result so far, then what the other macros call an element.
    private mutating func reduce(_ range: Typed, _ arguments: [Syntax], at: Int) -> Typed {
        let first = compile(arguments[arguments.count - 1])
        let names = arguments.dropLast(2).compactMap { variable($0) }
        guard names.count == arguments.count - 2 else { return Typed(node: .constant(.null), type: .dyn) }
        let (one, two) = variableTypes(in: range.type, count: names.count - 1)
        let depth = locals.count
        let result = Comprehension.Result(slot: declare(names[0], .dyn), first: first.node)
        let slot = declare(names[1], one)
        let valueSlot = names.count == 3 ? declare(names[2], two) : nil
        let body = compile(arguments[arguments.count - 2])
        locals.removeSubrange(depth...)
        let comprehension = Comprehension(
            .reduce, over: range.node, slot: slot, valueSlot: valueSlot, filter: nil, body: body.node, result: result,
            at: at)
        return Typed(node: .comprehension(comprehension), type: .dyn)
    }

    private func usage(of name: String) -> String? {
        Macro.documentation.first { $0.name == name }.map { $0.signatures.map { "`\($0)`" }.joined(separator: ", ") }
    }

    private mutating func variable(_ syntax: Syntax) -> String? {
        if case .name(let name) = syntax.kind { return name }
        _ = report("expected the name of a variable", at: syntax.offset)
        return nil
    }

    /// A slot for a variable: its own among all that are in use while it is, so that nested macros never share one.
    mutating func declare(_ name: String, _ type: StaticType) -> Int {
        let slot = locals.count
        slotCount = max(slotCount, slot + 1)
        locals.append(Local(name: name, slot: slot, type: type))
        return slot
    }

    private func variableTypes(in range: StaticType, count: Int) -> (StaticType, StaticType) {
        switch range {
        case .list(let element): count == 2 ? (.int, element) : (element, .dyn)
        case .pairs: count == 2 ? (.int, .pair) : (.pair, .dyn)
        case .map(let value): (.dyn, value)
        case .pair: (.string, .string)
        default: (.dyn, .dyn)
        }
    }

    private mutating func build(
        _ kind: Comprehension.Kind, _ name: String, _ range: Typed, _ slot: Int, _ valueSlot: Int?, _ filter: Node?,
        _ body: Typed, element: StaticType, bodyOffset: Int, at: Int
    ) -> Typed {
        let type: StaticType
        var (filter, result) = (filter, body.node)
        switch kind {
        case .all, .exists, .existsOne: type = .bool
        // Fewer pairs, or pairs in another order, are pairs.
        case .filter, .sortBy: type = range.type == .pairs ? .pairs : .list(element)
        case .map: type = .list(body.type)
        case .transformMap: type = .map(body.type)
        case .transformMapEntry: type = .map(.dyn)
        case .reduce: type = .dyn
        }
        if kind == .filter { (filter, result) = (body.node, .slot(slot)) }
        let needsBool = kind == .all || kind == .exists || kind == .existsOne || kind == .filter
        if needsBool, !body.type.couldBe(.bool) {
            return report("`\(name)` needs a bool, found \(body.type.name)", at: bodyOffset)
        }
        let comprehension = Comprehension(
            kind, over: range.node, slot: slot, valueSlot: valueSlot, filter: filter, body: result, at: at)
        return Typed(node: .comprehension(comprehension), type: type)
    }

    private mutating func mapOptional(_ target: Syntax, _ arguments: [Syntax], flat: Bool, at: Int) -> Typed {
        let operand = compile(target)
        guard let name = variable(arguments[0]) else { return Typed(node: .constant(.null), type: .dyn) }
        guard operand.type.couldBe(.optional(.dyn)) else {
            return report("expected an optional, found \(operand.type.name)", at: at)
        }
        let depth = locals.count
        var wrapped = StaticType.dyn
        if case .optional(let inner) = operand.type { wrapped = inner }
        let slot = declare(name, wrapped)
        let body = compile(arguments[1])
        locals.removeSubrange(depth...)
        if flat, !body.type.couldBe(.optional(.dyn)) {
            return report("`optFlatMap` needs an optional, found \(body.type.name)", at: arguments[1].offset)
        }
        return Typed(
            node: .mapOptional(slot: slot, operand.node, body.node, flat: flat, at: at),
            type: flat ? body.type : .optional(body.type))
    }

    mutating func bind(_ arguments: [Syntax], at: Int) -> Typed {
        guard arguments.count == 3 else {
            return report("`cel.bind` takes a name, a value and an expression", at: at)
        }
        guard let name = variable(arguments[0]) else { return Typed(node: .constant(.null), type: .dyn) }
        let value = compile(arguments[1])
        let depth = locals.count
        let slot = declare(name, value.type)
        let body = compile(arguments[2])
        locals.removeSubrange(depth...)
        return Typed(node: .bind(slot: slot, value.node, body.node), type: body.type)
    }

    /// `has(a.b)`, `has(a.?b.c)`.
    mutating func presence(_ arguments: [Syntax], at: Int) -> Typed {
        guard arguments.count == 1, case .select(let base, let field, _) = arguments[0].kind else {
            return report("`has` takes a field, such as `has(a.b)`", at: arguments.first?.offset ?? at)
        }
        return presence(operand(base, member: field), field, at: arguments[0].offset)
    }

    mutating func presence(_ operand: Typed, _ field: String, at: Int) -> Typed {
        switch operand.type {
        case .object(let object) where object.index(of: field) == nil && object.dynamic == nil:
            return object.isPartial
                ? Typed(node: .constant(.bool(false)), type: .bool) : unlisted(object, field, at: at)
        case .dyn, .map, .pairs, .pair, .optional, .object: break
        default: return report("a \(operand.type.name) has no fields", at: at)
        }
        return Typed(node: .hasField(operand.node, Node.FieldName(field, in: operand.type), at: at), type: .bool)
    }
}
