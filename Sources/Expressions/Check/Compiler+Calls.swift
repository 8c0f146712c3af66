/// Function calls: macros first, then dotted functions, members that can be called like one, and member functions.
extension Compiler {
    mutating func call(_ target: Syntax?, _ name: String, _ arguments: [Syntax], at: Int) -> Typed {
        guard let target else { return globalCall(name, arguments, at: at) }
        if Macro.comprehensions.contains(name), let result = comprehension(target, name, arguments, at: at) {
            return result
        }
        if let root = target.root, let path = target.path, !isLocal(root) {
            if path == "cel", name == "bind" { return bind(arguments, at: at) }
            let functions = scope.functions.named("\(path).\(name)", isMember: false)
            if !functions.isEmpty { return apply(functions, "\(path).\(name)", arguments.map { compile($0) }, at: at) }
            if scope.index(of: root) == nil, scope.functions.isNamespace(path) {
                return unknownFunction("\(path).\(name)", isMember: false, at: at)
            }
        }
        if case .constant(.string(let key))? = arguments.first?.kind {
            let member = Syntax(.select(target, field: name, isOptional: false), at: at, above: [target])
            checkKey(member, String(decoding: key, as: UTF8.self), at: at)
        }
        let receiver = operand(target, member: name)
        if let result = callableMember(receiver, name, arguments, at: at) { return result }
        let functions = scope.functions.named(name, isMember: true)
        guard !functions.isEmpty else { return unknownFunction(name, isMember: true, at: at) }
        if case .name(let root) = target.kind, references.remove(Reference(root, name)) != nil {
            references.insert(Reference(root))
        }
        return apply(functions, name, [receiver] + arguments.map { compile($0) }, at: at)
    }

    /// `request.query("a")`: a look-up by name that looks like a call.
    private mutating func callableMember(
        _ receiver: Typed, _ name: String, _ arguments: [Syntax], at: Int
    ) -> Typed? {
        guard case .object(let object) = receiver.type, let index = object.index(of: name), arguments.count == 1,
            isCallable(object.members[index].type)
        else { return nil }
        let member = Typed(node: .member(receiver.node, index: index, at: at), type: object.members[index].type)
        return self.index(member, compile(arguments[0]), isOptional: false, at: at)
    }

    private func isCallable(_ type: StaticType) -> Bool {
        switch type {
        case .pairs, .map, .list: true
        default: false
        }
    }

    private mutating func globalCall(_ name: String, _ arguments: [Syntax], at: Int) -> Typed {
        if name == "has" { return presence(arguments, at: at) }
        let functions = scope.functions.named(name, isMember: false)
        if functions.isEmpty, arguments.count == 1, isLocal(name) || scope.index(of: name) != nil {
            let base = self.name(name, member: nil, at: at)
            if isCallable(base.type) { return index(base, compile(arguments[0]), isOptional: false, at: at) }
        }
        guard !functions.isEmpty else { return unknownFunction(name, isMember: false, at: at) }
        return apply(functions, name, arguments.map { compile($0) }, at: at)
    }

    private mutating func unknownFunction(_ name: String, isMember: Bool, at: Int) -> Typed {
        var hint: String?
        if isMember, !scope.functions.named(name, isMember: false).isEmpty {
            hint = "write `\(name)(x)`, not `x.\(name)()`"
        } else if !isMember, !scope.functions.named(name, isMember: true).isEmpty || Macro.comprehensions.contains(name)
        {
            hint = "write `x.\(name)(...)`"
        } else {
            let macros = isMember ? Macro.comprehensions.sorted() : ["has", "cel.bind"]
            hint = Suggestion.hint(for: name, among: scope.functions.names(isMember: isMember) + macros)
        }
        return report("unknown function `\(name)`", hint: hint, at: at)
    }

    private mutating func apply(_ functions: [Function], _ name: String, _ arguments: [Typed], at: Int) -> Typed {
        let types = arguments.map(\.type)
        let candidates = functions.filter { $0.signatures.contains { $0.accepts(count: types.count) } }
        let shown = functions.flatMap { $0.signatures.map { "`\($0.text)`" } }.joined(separator: ", ")
        guard !candidates.isEmpty else {
            let count = types.count - (functions[0].isMember ? 1 : 0)
            return report("`\(name)` does not take \(count) argument\(count == 1 ? "" : "s")", hint: shown, at: at)
        }
        for function in candidates {
            let fitting = function.signatures.filter { $0.accepts(types) }
            guard let first = fitting.first else { continue }
            let result = fitting.dropFirst().reduce(first.result(for: types)) { $0.joined(with: $1.result(for: types)) }
            return build(function, arguments, type: result, at: at)
        }
        let given = types.map(\.name).joined(separator: ", ")
        return report("`\(name)` does not take (\(given))", hint: shown, at: at)
    }

    /// A constant, or a secret.
    private func known(_ node: Node) -> Value? {
        switch node {
        case .constant(let constant): constant.value
        case .member(.root(let name, _), let index, _): scope.known(name, index)
        case .followed(let followed): known(followed.plain)
        default: nil
        }
    }

    private mutating func build(_ function: Function, _ arguments: [Typed], type: StaticType, at: Int) -> Typed {
        called.insert(function.name)
        if function.name == "matches", let constant = arguments.last?.node.constant {
            guard case .string(let source) = constant else { return report("a pattern is a string", at: at) }
            do {
                return Typed(node: .matches(arguments[0].node, try Pattern(source), at: at), type: .bool)
            } catch {
                return report("bad pattern: \(error.message)", at: at)
            }
        }
        if function.name.hasPrefix("regex."), case .string(let source)? = arguments[1].node.constant {
            do {
                _ = try PatternSearch(source)
            } catch {
                return report("bad pattern: \(error.message)", at: at)
            }
        }
        if let check = function.check {
            do throws(EvaluationError) {
                try check(arguments.map { known($0.node) })
            } catch {
                let problem = error.subject.isEmpty ? error.description : error.subject
                return report("`\(function.name)` can never work here: \(problem)", at: at)
            }
        }
        let nodes = arguments.map(\.node)
        let isFollowed = scope.functions.isRecording && !nodes.allSatisfy { isKnown($0) }
        let node: Node =
            switch function.body {
            case .transform(let transform) where !isFollowed: .transformed(transform, function.cost, nodes[0], at: at)
            case .join: .joined(nodes[0], separator: nodes.count > 1 ? nodes[1] : nil, at: at)
            case .nullary, .unary, .binary, .variadic, .metered, .transform:
                isFollowed
                    ? .followed(Followed(.called(function, nodes, at: at)))
                    : .call(function.body, function.cost, nodes, at: at)
            }
        let typed = Typed(node: node, type: type)
        return function.isPure ? folded(typed) : typed
    }
}
