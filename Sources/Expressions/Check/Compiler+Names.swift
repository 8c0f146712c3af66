/// Names, fields and indices.
extension Compiler {
    mutating func name(_ name: String, member: String?, at: Int) -> Typed {
        if let local = locals.last(where: { $0.name == name }) {
            return Typed(node: .slot(local.slot), type: local.type)
        }
        if let index = scope.index(of: name) {
            references.insert(Reference(name, member))
            return Typed(node: .root(index, at: at), type: scope.names[index].type)
        }
        if let type = TypeName.denoted(by: name) { return Typed(node: .constant(.type(type)), type: .type) }
        let known = scope.names.map(\.name) + locals.map(\.name)
        if !scope.functions.named(name, isMember: false).isEmpty || scope.functions.isNamespace(name) {
            return report("`\(name)` is a function", hint: "call it: `\(name)(...)`", at: at)
        }
        return report("unknown name `\(name)`", hint: hint(for: name, among: known), at: at)
    }

    func hint(for word: String, among known: [String]) -> String? {
        // A host may keep the place of a name that means nothing here with an empty one.
        let known = known.filter { !$0.isEmpty }
        if let hint = Suggestion.hint(for: word, among: known) { return hint }
        return known.isEmpty || known.count > 12 ? nil : "known: " + known.sorted().joined(separator: ", ")
    }

    func isLocal(_ name: String) -> Bool { locals.contains { $0.name == name } }

    mutating func select(_ operand: Syntax, _ field: String, isOptional: Bool, at: Int) -> Typed {
        if let path = operand.path, !isOptional, let type = TypeName.denoted(by: "\(path).\(field)"),
            operand.root.map({ !isLocal($0) && scope.index(of: $0) == nil }) == true
        {
            return Typed(node: .constant(.type(type)), type: .type)
        }
        let base = self.operand(operand, member: field)
        checkKey(operand, field, at: at)
        if isOptional { return optionalField(base, field, at: at) }
        switch base.type {
        case .object(let object): return member(base, object, field, at: at)
        case .pair where field != "name" && field != "value":
            return report("a pair has no field `\(field)`", hint: "known: name, value", at: at)
        case .pair:
            if case .slot(let slot) = base.node {
                return Typed(node: .pairPart(slot: slot, isValue: field == "value", at: at), type: .string)
            }
            return Typed(node: .field(base.node, Node.FieldName(field), at: at), type: .string)
        case .dyn, .map, .pairs, .optional:
            return Typed(node: .field(base.node, Node.FieldName(field), at: at), type: fieldType(of: base.type))
        default:
            let sized = ["length", "len", "count"].contains(field.lowercased()) ? "write `size(x)`" : nil
            let callable =
                scope.functions.named(field, isMember: true).isEmpty ? sized : "call it: `.\(field)(...)`"
            return report("a \(base.type.name) has no field `\(field)`", hint: callable, at: at)
        }
    }

    /// Compiles what a field is looked up in, noting which member of a root name is used.
    mutating func operand(_ syntax: Syntax, member: String) -> Typed {
        if case .name(let name) = syntax.kind { return self.name(name, member: member, at: syntax.offset) }
        let value = compile(syntax)
        // An object inside an object: `path` of `request.original.path`.
        if case .object = value.type, let root = syntax.root, !isLocal(root), let path = syntax.path {
            references.insert(Reference(path, member))
        }
        return value
    }

    /// Where the scope knows the keys of what stands here.
    mutating func checkKey(_ operand: Syntax, _ key: String, at: Int) {
        guard !scope.keys.isEmpty, let root = operand.root, !isLocal(root), let path = operand.path,
            let known = scope.keys[path], !known.contains(key)
        else { return }
        _ = report("\(path) has no `\(key)`", hint: hint(for: key, among: known), at: at)
    }

    private func fieldType(of type: StaticType) -> StaticType {
        switch type {
        case .map(let value): value
        case .pairs, .pair: .string
        case .optional: .optional(.dyn)
        default: .dyn
        }
    }

    private mutating func member(_ base: Typed, _ object: ObjectType, _ field: String, at: Int) -> Typed {
        if let index = object.index(of: field) {
            return Typed(node: .member(base.node, index: index, at: at), type: object.members[index].type)
        }
        if let dynamic = object.dynamic {
            return Typed(node: .field(base.node, Node.FieldName(field), at: at), type: dynamic)
        }
        // Never evaluated: what decided so knows that it is not there.
        if object.isPartial, isUnreached { return Typed(node: .constant(.null), type: .dyn) }
        return unlisted(object, field, at: at)
    }

    /// A member that is not there.
    mutating func unlisted(_ object: ObjectType, _ field: String, at: Int) -> Typed {
        var issue = ExpressionIssue(
            "\(object.name) has no member `\(field)`", hint: hint(for: field, among: object.members.map(\.name)),
            at: at)
        if object.isPartial {
            issue.missing = Reference(object.name, field)
            issue.hint = ExpressionIssue.hints(
                issue.hint, "where it may be missing: `has(\(object.name).\(field))` or `\(object.name).?\(field)`")
        }
        return report(issue)
    }

    /// Members of the host's objects are found when the expression is checked.
    mutating func unnamed(_ object: ObjectType, at: Int) -> Typed {
        report("a member of \(object.name) is known by its name in the source", hint: "\(object.name).NAME", at: at)
    }

    private mutating func optionalField(_ base: Typed, _ field: String, at: Int) -> Typed {
        var wrapped = StaticType.dyn
        switch base.type {
        case .object(let object):
            if let index = object.index(of: field) {
                wrapped = object.members[index].type
            } else if let dynamic = object.dynamic {
                wrapped = dynamic
            } else if object.isPartial {
                // No constant: what is made of it is not tried.
                return Typed(
                    node: .optionalField(.constant(.null), Node.FieldName(field), at: at), type: .optional(.dyn))
            } else {
                return unlisted(object, field, at: at)
            }
        case .dyn, .null, .optional: break
        case .map, .pairs, .pair: wrapped = fieldType(of: base.type)
        default: return report("a \(base.type.name) has no field `\(field)`", at: at)
        }
        return Typed(
            node: .optionalField(base.node, Node.FieldName(field, in: base.type), at: at), type: .optional(wrapped))
    }

    mutating func index(_ operand: Syntax, _ key: Syntax, isOptional: Bool, at: Int) -> Typed {
        let constantKey = key.text
        let base = constantKey.map { self.operand(operand, member: $0) } ?? compile(operand)
        if let constantKey {
            checkKey(operand, constantKey, at: at)
            if case .object(let object) = base.type {
                return isOptional ? optionalField(base, constantKey, at: at) : member(base, object, constantKey, at: at)
            }
        }
        let key = compile(key)
        return index(base, key, isOptional: isOptional, at: at)
    }

    mutating func index(_ base: Typed, _ key: Typed, isOptional: Bool, at: Int) -> Typed {
        var found = StaticType.dyn
        switch base.type {
        case .list(let element):
            found = element
            if ![.int, .uint, .double].contains(where: { key.type.couldBe($0) }) {
                return report("a list is indexed by int, not by \(key.type.name)", at: at)
            }
        case .pairs:
            if key.type == .string { found = .string } else if key.type == .int { found = .pair }
            if ![.int, .uint, .string].contains(where: { key.type.couldBe($0) }) {
                return report("pairs are indexed by int or string, not by \(key.type.name)", at: at)
            }
        case .map(let value): found = value
        case .pair: found = .string
        case .optional: found = .optional(.dyn)
        case .object(let object) where object.dynamic == nil: return unnamed(object, at: at)
        case .dyn, .object: break
        case .null where isOptional: break
        default: return report("a \(base.type.name) cannot be indexed", at: at)
        }
        if isOptional {
            if case .optional(let inner) = found, case .optional = base.type { found = inner }
            return Typed(node: .optionalIndex(base.node, key.node, at: at), type: .optional(found))
        }
        return Typed(node: .index(base.node, key.node, at: at), type: found)
    }
}
